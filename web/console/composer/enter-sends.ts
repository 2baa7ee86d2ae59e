const KEPT = 'enter-sends'

/** Tells whether Enter sends; else it begins a line. Of an email it always begins one. */
export function doesEnterSend(): boolean {
  try {
    return localStorage.getItem(KEPT) !== 'off'
  } catch {
    return true
  }
}

export function setEnterSends(isOn: boolean): void {
  try {
    localStorage.setItem(KEPT, isOn ? 'on' : 'off')
  } catch {
    // No storage: as it was after a reload.
  }
}
