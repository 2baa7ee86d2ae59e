import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { navigate } from '../../shared/router.js'
import { threadPath } from '../route.js'
import { Row, type RowData } from './row.js'

/** Rows above and below what is seen, so that a scroll shows no gap. */
const BESIDE = 6
/** Shorter lists are drawn whole. */
const WHOLE_MAX = 50

interface RowListProps {
  label: string
  rows: readonly RowData[]
  /** The conversation that is open. */
  selected: string | null
}

/** A list of one tab stop, moved through by the arrow keys; of a long one only the rows near the window are drawn. */
export function RowList({ label, rows, selected }: RowListProps) {
  const list = useRef<HTMLUListElement>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const { from, to, rowHeight } = useWindow(list, rows.length)
  const stop = rows.find(({ id }) => id === (focused ?? selected))?.id ?? rows[0]?.id
  const stopIndex = rows.findIndex(({ id }) => id === stop)
  const shown = rows.slice(from, to).map((row, index) => ({ row, index: from + index }))
  // What has the focus stays in the document.
  if (focused && stopIndex >= 0 && (stopIndex < from || stopIndex >= to))
    shown.push({ row: rows[stopIndex]!, index: stopIndex })
  const isWhole = rows.length <= WHOLE_MAX

  const move = (event: KeyboardEvent): void => {
    const row = (event.target as Element).closest<HTMLElement>('li')
    const id = row?.dataset.id
    if (event.key === 'Enter' && event.target === row && id) return navigate(threadPath(id))
    const step = STEPS[event.key]
    if (!step || !id || event.ctrlKey || event.metaKey || event.altKey) return
    const index = rows.findIndex((each) => each.id === id)
    const next = rows[Math.max(0, Math.min(rows.length - 1, step(index, rows.length)))]
    if (!next) return
    event.preventDefault()
    setFocused(next.id)
    scrollToIndex(list.current!, rows.indexOf(next), rowHeight)
    const link = (): HTMLElement | null | undefined => list.current?.querySelector(`[data-id="${next.id}"] a`)
    // At once where it is drawn already: the next key may come before the next frame, and is meant for this row.
    if (link()) link()!.focus()
    else requestAnimationFrame(() => link()?.focus())
  }

  return (
    <ul
      ref={list}
      class={isWhole ? 'rows' : 'rows window'}
      role="list"
      aria-label={label}
      style={isWhole ? undefined : `block-size:${rows.length * rowHeight}px`}
      onKeyDown={move}
      onFocusIn={(event: FocusEvent) =>
        setFocused((event.target as Element).closest<HTMLElement>('li')?.dataset.id ?? null)
      }
      onFocusOut={() => setFocused(null)}
    >
      {shown.map(({ row, index }) => (
        <Row
          key={row.id}
          row={row}
          isSelected={row.id === selected}
          isTabStop={row.id === stop}
          style={isWhole ? undefined : `inset-block-start:${index * rowHeight}px`}
        />
      ))}
    </ul>
  )
}

const STEPS: Readonly<Record<string, (index: number, length: number) => number>> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  Home: () => 0,
  End: (_index, length) => length - 1,
  PageDown: (index) => index + 8,
  PageUp: (index) => index - 8,
}

/** Which rows are near what is seen. The scroller is the list's parent; all rows have one height. */
function useWindow(
  list: { current: HTMLUListElement | null },
  length: number,
): { from: number; to: number; rowHeight: number } {
  const [seen, setSeen] = useState({ from: 0, to: WHOLE_MAX, rowHeight: 77 })
  const isWhole = length <= WHOLE_MAX
  useLayoutEffect(() => {
    const scroller = list.current?.parentElement
    if (isWhole || !scroller) return
    const measure = (): void => {
      const rowHeight = list.current?.querySelector('li')?.getBoundingClientRect().height || 77
      const top = scroller.scrollTop - list.current!.offsetTop
      const from = Math.max(0, Math.floor(top / rowHeight) - BESIDE)
      const to = Math.ceil((top + scroller.clientHeight) / rowHeight) + BESIDE
      setSeen((last) =>
        last.from === from && last.to === to && last.rowHeight === rowHeight ? last : { from, to, rowHeight },
      )
    }
    measure()
    scroller.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(scroller)
    return () => {
      scroller.removeEventListener('scroll', measure)
      observer.disconnect()
    }
  }, [isWhole, list])
  return isWhole ? { ...seen, from: 0, to: length } : seen
}

function scrollToIndex(list: HTMLUListElement, index: number, rowHeight: number): void {
  const scroller = list.parentElement!
  const top = list.offsetTop + index * rowHeight
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (top + rowHeight > scroller.scrollTop + scroller.clientHeight)
    scroller.scrollTop = top + rowHeight - scroller.clientHeight
}
