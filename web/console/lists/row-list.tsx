import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { navigate } from '../../shared/router.js'
import { useCommand } from '../commands/use-command.js'
import { bulk } from '../lazy.js'
import { threadPath, type AnyList } from '../route.js'
import { useStore } from '../store/console-store.js'
import { Row, type ListRow } from './row.js'

/** Rows above and below what is seen, so that a scroll shows no gap. */
const BESIDE = 6
/** The window moves by so many rows at a time: most frames of a scroll change nothing in the document. */
const STEP = 4
/** Shorter lists are drawn whole. */
const WHOLE_MAX = 50

interface RowListProps {
  list: AnyList
  label: string
  rows: readonly ListRow[]
  /** Words above the first row of a group, by its conversation; not in a long list, whose rows have one height. */
  heads?: ReadonlyMap<string, string> | undefined
  /** The conversation that is open. */
  selected: string | null
}

/** A list of one tab stop, moved through by the arrow keys; of a long one only the rows near the window are drawn. */
export function RowList({ list: name, label, rows, heads, selected }: RowListProps) {
  const store = useStore()
  const list = useRef<HTMLUListElement>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const { from, to, rowHeight } = useWindow(list, rows.length)
  const wanted = focused ?? selected
  const stopIndex = wanted === null ? 0 : Math.max(0, indexOf(rows, wanted))
  const shown = rows.slice(from, to).map((row, index) => ({ row, index: from + index }))
  // What has the focus, or gets it next, stays in the document.
  const stop = { row: rows[stopIndex]!, index: stopIndex }
  if (stopIndex < from && stop.row) shown.unshift(stop)
  else if (stopIndex >= to && stop.row) shown.push(stop)
  const isWhole = rows.length <= WHOLE_MAX
  const focusRow = (index: number): void => {
    const { conversation } = rows[index]!
    setFocused(conversation)
    reveal(index)
    const link = (): HTMLElement | null | undefined => list.current?.querySelector(`[data-id="${conversation}"] a`)
    // At once where it is drawn already: the next key may come before the next frame, and is meant for this row.
    if (link()) link()!.focus()
    else requestAnimationFrame(() => link()?.focus())
  }
  const reveal = (index: number): void => {
    if (isWhole) list.current!.children[index]?.scrollIntoView({ block: 'nearest' })
    else scrollToIndex(list.current!, index, rowHeight)
  }
  useFocusKept(rows, focused, focusRow)
  useLayoutEffect(() => store.showRows(rows, selected), [rows, selected])

  const openStep = (step: 1 | -1): void => {
    const index = within(rows, (selected === null ? -1 : indexOf(rows, selected)) + step)
    if (!rows[index]) return
    reveal(index)
    navigate(threadPath(rows[index].conversation))
  }
  const { nextOpen, previousOpen } = t().list
  const down = { id: 'next-open', label: nextOpen, icon: 'right', key: 'alt ArrowDown', zone: 'anywhere' } as const
  const up = { id: 'previous-open', label: previousOpen, icon: 'left', key: 'alt ArrowUp', zone: 'anywhere' } as const
  useCommand({ ...down, run: () => openStep(1) })
  useCommand({ ...up, run: () => openStep(-1) })

  const move = (event: KeyboardEvent): void => {
    const row = (event.target as Element).closest<HTMLElement>('li')
    const id = row?.dataset.id
    if (event.key === 'Enter' && event.target === row && id) {
      // The focus moves on: the key must not be typed there.
      event.preventDefault()
      return navigate(threadPath(id))
    }
    const step = STEPS[event.key]
    if (!step || !id || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (rows.length > 0) focusRow(within(rows, step(indexOf(rows, id), rows.length)))
  }

  const Bar = bulk.value?.BulkBar
  return (
    <>
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
            key={row.conversation}
            list={name}
            row={row}
            head={isWhole ? heads?.get(row.conversation) : undefined}
            isSelected={row.conversation === selected}
            isTabStop={index === stopIndex}
            {...(!isWhole && { place: index + 1, of: rows.length, top: index * rowHeight })}
          />
        ))}
      </ul>
      {Bar && <Bar rows={rows} />}
    </>
  )
}

/** The row that had the focus may leave the list: then the one in its place has it, so that the next key goes on there. */
function useFocusKept(rows: readonly ListRow[], focused: string | null, focusRow: (index: number) => void): void {
  const place = useRef(0)
  const index = focused === null ? -1 : indexOf(rows, focused)
  if (index >= 0) place.current = index
  const isLost = focused !== null && index < 0
  useLayoutEffect(() => {
    if (!isLost) return
    if (rows.length > 0) focusRow(within(rows, place.current))
    else document.querySelector<HTMLElement>('#main')?.focus()
  }, [isLost])
}

function within(rows: readonly ListRow[], index: number): number {
  return Math.max(0, Math.min(rows.length - 1, index))
}

function indexOf(rows: readonly ListRow[], id: string): number {
  return rows.findIndex(({ conversation }) => conversation === id)
}

const STEPS: Readonly<Record<string, (index: number, length: number) => number>> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  Home: () => 0,
  End: (_index, length) => length - 1,
  PageDown: (index) => index + 8,
  PageUp: (index) => index - 8,
}

/** Determines the rows near the visible part. The scroller is the list's parent; all rows have one height. */
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
      const from = Math.max(0, Math.floor(top / rowHeight / STEP) * STEP - BESIDE)
      const to = Math.ceil((top + scroller.clientHeight) / rowHeight / STEP) * STEP + BESIDE
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
