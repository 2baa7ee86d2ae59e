import type { Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Office } from '../office.js'

/** At most this long is typed without being stored: what a tab that crashes loses. */
const DRAFT_MS = 100

/**
 * Writes the draft a moment after a key, also while others follow, and at once when the page is left; what another tab
 * writes is shown here.
 * @returns forgets what was typed and is not written yet: it was sent
 */
export function useDraft(
  office: Office,
  id: string,
  box: { current: HTMLTextAreaElement | null },
  isNote: Signal<boolean>,
  text: Signal<string>,
): () => void {
  const drafts = office.drafts.value
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
    const kept = drafts.peek(id)
    if (kept && area.value === '') {
      show(kept.text)
      isNote.value = kept.isNote
    }
    const write = (): void => {
      if (timer.current === undefined) return
      forget()
      if (area.value !== (drafts.peek(id)?.text ?? '')) void drafts.write(id, area.value, isNote.peek())
    }
    const typed = (): void => {
      timer.current ??= setTimeout(write, DRAFT_MS)
    }
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
