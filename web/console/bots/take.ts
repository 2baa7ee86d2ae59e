import type { ConsoleStore } from '../store/console-store.js'

/** Reasons not to put a text into the box: what is typed there is never replaced, and never reaches others than it was for. */
export type NotTaken = 'hasText' | 'hasNote' | 'hasReply'

interface Taken {
  conversation: string
  proposal: string
  text: string
  isNote: boolean
  /** Below what is typed there. */
  isBelow: boolean
}

/** Puts a text into the box to answer in, to be edited and sent as one's own. @returns why it was not; null if it was */
export function takeInto(
  area: HTMLTextAreaElement,
  { commands, writing }: Pick<ConsoleStore, 'commands' | 'writing'>,
  { conversation, proposal, text, isNote, isBelow }: Taken,
): NotTaken | null {
  const isEmpty = area.value.trim() === ''
  const holdsNote = area.form?.dataset.kind === 'note'
  if (!isEmpty && holdsNote !== isNote) return holdsNote ? 'hasNote' : 'hasReply'
  if (!isEmpty && !isBelow) return 'hasText'
  commands.list
    .peek()
    .find(({ id }) => id === (isNote ? 'note' : 'reply'))
    ?.run()
  area.value = isEmpty ? text : `${area.value.trimEnd()}\n\n${text}`
  area.setSelectionRange(area.value.length, area.value.length)
  area.dispatchEvent(new InputEvent('input', { bubbles: true }))
  // The draft names it from now on: also after a reload, and in other tabs.
  void writing.drafts.peek()?.write(conversation, area.value, isNote, { proposal })
  area.focus()
  return null
}
