/** What the loader hands to the chat. */
export interface WidgetOptions {
  /** Where the server is, without a slash at the end. */
  server: string
  service: string
  language: string
  host: HTMLElement
  root: ShadowRoot
  /** Whether the page wants the greeting shown beside the launcher. */
  nudge: boolean
  /** The launcher. */
  button: HTMLButtonElement
}

export interface Chat {
  open(): void
  close(): void
  identify(profile: unknown): void
}
