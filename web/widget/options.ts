/** Options that the loader hands to the chat. */
export interface WidgetOptions {
  /** The server's address without a slash at the end. */
  server: string
  service: string
  language: string
  host: HTMLElement
  root: ShadowRoot
  /** Shows the greeting beside the launcher. */
  nudge: boolean
  /** The launcher. */
  button: HTMLButtonElement
}

export interface Chat {
  open(): void
  close(): void
  identify(profile: unknown): void
}
