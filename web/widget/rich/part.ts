/** A part of a message that changes with the conversation. */
export interface Part {
  element: HTMLElement
  update(): void
}
