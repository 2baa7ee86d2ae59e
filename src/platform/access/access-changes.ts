/**
 * Notified after the commit of changes that may end or change a caller's access, so that this node caches nothing
 * stale.
 */
export interface AccessChanges {
  /**
   * The role, status, organization, API token or a sign-in of the user (or guest's contact) has changed, or the user
   * was deleted.
   */
  userChanged(user: string): void
}

/** Notifies several. */
export class AccessChangeListeners implements AccessChanges {
  readonly #listeners: AccessChanges[] = []

  add(listener: AccessChanges): void {
    this.#listeners.push(listener)
  }

  userChanged(user: string): void {
    for (const listener of this.#listeners) listener.userChanged(user)
  }
}
