import type { Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ConsoleStore } from '../store/console-store.js'

/** At most this long is typed without being stored: what a tab that crashes loses. */
const DRAFT_MS = 100

/**
 * Writes the draft a moment after a key, also while others follow, and at once when the page is left; what another tab
 * writes is shown here.
 * @returns forgets what was typed and is not written yet: it was sent
 */
export function useDraft(
  store: ConsoleStore,
  id: string,
  box: { current: HTMLTextAreaElement | null },
  isNote: Signal<boolean>,
  text: Signal<string>,
): () => void {
  const drafts = store.writing.drafts.value
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const forget = (): void => {
    clearTimeout(timer.current)
    timer.current = undefined
  }
  useEffect(() => {
    const area = box.current
    if (!drafts || !area) return
    const show = (value: string): void => {
      area.value = value
      text.value = value
    }
    const write = (): void => {
      if (timer.current === undefined) return
      forget()
      if (area.value !== (drafts.peek(id)?.text ?? '')) void drafts.write(id, area.value, isNote.peek())
    }
    const typed = (): void => {
      timer.current ??= setTimeout(write, DRAFT_MS)
    }
    const kept = drafts.peek(id)
    const already = area.value
    if (kept && !already.startsWith(kept.text)) {
      show(kept.text + already)
      // Words for colleagues must not reach the contact, whatever they are joined with.
      isNote.value ||= kept.isNote
    }
    // Keys pressed before the drafts had come are written like those that follow.
    if (already !== '' && already !== kept?.text) typed()
    const stopHearing = drafts.rows.subscribe(() => {
      const now = drafts.peek(id)
      if (timer.current !== undefined || area.value === (now?.text ?? '')) return
      show(now?.text ?? '')
      if (now) isNote.value = now.isNote
    })
    const removeWriter = drafts.addWriter(write)
    area.addEventListener('input', typed)
    addEventListener('pagehide', write)
    return () => {
      write()
      stopHearing()
      removeWriter()
      area.removeEventListener('input', typed)
      removeEventListener('pagehide', write)
    }
  }, [drafts, id])
  return forget
}
