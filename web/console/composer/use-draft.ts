import type { Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Office } from '../office.js'

const DRAFT_MS = 300

/** Writes the draft a moment after a key, and at once when the page is left; what another tab writes is shown here. */
export function useDraft(
  office: Office,
  id: string,
  box: { current: HTMLTextAreaElement | null },
  isNote: Signal<boolean>,
  text: Signal<string>,
): void {
  const drafts = office.drafts.value
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
    let timer: ReturnType<typeof setTimeout> | undefined
    const write = (): void => {
      clearTimeout(timer)
      timer = undefined
      if (area.value !== (drafts.peek(id)?.text ?? '')) void drafts.write(id, area.value, isNote.peek())
    }
    const typed = (): void => {
      clearTimeout(timer)
      timer = setTimeout(write, DRAFT_MS)
    }
    const stopHearing = drafts.rows.subscribe(() => {
      const now = drafts.peek(id)
      if (timer === undefined && area.value !== (now?.text ?? '')) show(now?.text ?? '')
    })
    area.addEventListener('input', typed)
    addEventListener('pagehide', write)
    return () => {
      if (timer !== undefined) write()
      stopHearing()
      area.removeEventListener('input', typed)
      removeEventListener('pagehide', write)
    }
  }, [drafts, id])
}
