/** Told, after the commit, of what may end or change somebody's access, so that this node remembers nothing old. */
export interface AccessChanges {
  /** The user's (or a guest's contact's) role, status, organization, API token or one of its sign-ins has changed, or the user is gone. */
  userChanged(user: string): void
}
