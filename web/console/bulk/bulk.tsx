import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import { useCommand } from '../commands/use-command.js'
import { useStore } from '../store/console-store.js'
import { useShown } from '../use-shown.js'
import { BulkDialog, type Kind } from './bulk-dialog.js'
import { begin, type Act } from './bulk-runs.js'
import { useBulkWords, words } from './words.js'

export { BulkToast } from './bulk-toast.js'

/** As many the server does at once. */
const MOST = 500

/** Ids of the selected conversations. */
const picked = signal<ReadonlySet<string>>(new Set())

function pick(ids: readonly string[], isPicked: boolean): void {
  const next = new Set(picked.peek())
  for (const id of ids) {
    if (!isPicked) next.delete(id)
    else if (next.size < MOST) next.add(id)
  }
  picked.value = next
}

/** The box over a row's picture. By keys there is `X`: it is no stop of its own. */
export function Pick({ id, name }: { id: string; name: string }) {
  useBulkWords()
  return (
    <label class="pick">
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={words.select(name)}
        checked={picked.value.has(id)}
        onChange={(event) => {
          pick([id], event.currentTarget.checked)
          event.currentTarget.closest('li')?.querySelector<HTMLElement>('a')?.focus({ preventScroll: true })
        }}
      />
    </label>
  )
}

interface BulkBarProps {
  rows: readonly { conversation: string }[]
}

/** Acts on the selected conversations of the list above it. */
export function BulkBar({ rows }: BulkBarProps) {
  useBulkWords()
  const store = useStore()
  const place = useRef<HTMLSpanElement>(null)
  const [shown, show, hide] = useShown<Kind>()
  const [fault, setFault] = useState<string | null>(null)
  const isOffline = store.live.connection.value.is === 'offline'
  // What has left the list is not acted on.
  const ids = rows.map(({ conversation }) => conversation)
  const chosen = ids.filter((id) => picked.value.has(id))
  const isAny = chosen.length > 0
  useEffect(() => () => void (picked.value = new Set()), [])

  const clear = (): void => {
    setFault(null)
    picked.value = new Set()
    focusList()
  }
  const run = async (act: Act): Promise<void> => {
    setFault(null)
    await begin(store, { act, conversations: chosen })
    clear()
  }
  const open = (kind: Kind): void => {
    if (!isOffline) show(kind)
  }
  const close = (): void => {
    if (!isOffline) run({ step: { kind: 'CLOSE' } }).catch((error: Error) => setFault(error.message))
  }
  const extend = (key: 'ArrowDown' | 'ArrowUp'): void => {
    const row = focusedRow()
    if (!row) return
    const next = ids[ids.indexOf(row.dataset.id!) + (key === 'ArrowDown' ? 1 : -1)]
    pick([row.dataset.id!, ...(next === undefined ? [] : [next])], true)
    row.querySelector('a')?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  }
  const toggle = (): void => {
    const id = focusedRow()?.dataset.id
    if (id) pick([id], !picked.peek().has(id))
  }
  const all = (): void => pick(ids, true)
  // Of the list alone: elsewhere it selects text, and goes one step outwards.
  useEffect(() => {
    const list = place.current?.closest('[data-zone]')
    const press = (event: Event): void => {
      const { key, ctrlKey, metaKey, target } = event as KeyboardEvent
      if ((target as Element).closest('input:not([type=checkbox]), textarea, select, dialog')) return
      if (key === 'Escape' && picked.peek().size > 0) clear()
      else if (key.toLowerCase() === 'a' && (ctrlKey || metaKey)) all()
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    list?.addEventListener('keydown', press)
    return () => list?.removeEventListener('keydown', press)
  }, [rows])

  const add = (id: string, label: string, icon: string, key: string, run: () => void, isOn = true): void =>
    useCommand({ id, label, icon, key, zone: 'list', run }, isOn)
  add('pick', words.toggle, 'check', 'x', toggle)
  add('pick-down', words.extendDown, 'down', 'shift j', () => extend('ArrowDown'))
  add('pick-up', words.extendUp, 'up', 'shift k', () => extend('ArrowUp'))
  add('pick-all', words.all, 'check', 'ctrl a', all)
  add('bulk-label', words.label, 'tag', 'l', () => open('label'), isAny)
  add('bulk-snooze', words.snooze, 'snooze', 'z', () => open('snooze'), isAny)
  add('bulk-hand', words.handOver, 'hand', 'h', () => open('handOver'), isAny)
  add('bulk-macro', words.macro, 'macro', 'm', () => open('macro'), isAny)
  add('bulk-close', words.close, 'check', 'e', close, isAny)

  const { labels, snooze, thread } = t()
  const acts = [
    ['label', 'tag', labels.title, words.label, 'L'],
    ['snooze', 'snooze', snooze.title, words.snooze, 'Z'],
    ['handOver', 'hand', thread.handOver, words.handOver, 'H'],
    ['macro', 'macro', thread.macro, words.macro, 'M'],
  ] as const
  return (
    <>
      <span ref={place} class="vh" role="status">
        {isAny && words.selected(chosen.length)}
      </span>
      {isAny && (
        <div class="bulk" role="toolbar" aria-label={words.selected(chosen.length)}>
          <b aria-hidden="true">{words.selected(chosen.length)}</b>
          <button class="btn ghost icon small" aria-label={words.clear} title={`${words.clear} (Esc)`} onClick={clear}>
            <Icon name="x" />
          </button>
          <i />
          {acts.map(([kind, icon, short, label, key]) => (
            <button
              key={kind}
              class="btn ghost"
              aria-label={short}
              title={`${label} (${key})`}
              aria-disabled={isOffline}
              onClick={() => open(kind)}
            >
              <Icon name={icon} />
            </button>
          ))}
          <button
            class="btn ghost"
            aria-label={words.closeCount(chosen.length)}
            title={`${words.close} (E)`}
            aria-disabled={isOffline}
            onClick={close}
          >
            <Icon name="check" />
          </button>
          {(isOffline || fault || chosen.length === MOST) && (
            <p class={fault || isOffline ? 'bad' : 'mute'} role="alert">
              {isOffline ? words.needsConnection : (fault ?? words.most(MOST))}
            </p>
          )}
        </div>
      )}
      {shown && <BulkDialog kind={shown} count={chosen.length} run={run} close={hide} />}
    </>
  )
}

/** The row that has the focus, or gets it next. */
function focusedRow(): HTMLElement | null {
  const stop = document.querySelector('.rows a[tabindex="0"]')
  return (document.activeElement?.closest<HTMLElement>('.rows > li') ?? stop?.closest<HTMLElement>('li')) || null
}

/** The bar goes: the next key acts in the list. */
function focusList(): void {
  if (document.activeElement?.closest('.rows')) return
  document.querySelector<HTMLElement>('.rows a[tabindex="0"]')?.focus({ preventScroll: true })
}
