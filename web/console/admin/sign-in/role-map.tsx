import { newId } from '@switchboard/client'
import { RoleMapChannelsDocument } from '../../../generated/admin-sign-in.js'
import { Icon } from '../../../shared/ui/icon.js'
import { More } from '../section.js'
import { usePages } from '../use-pages.js'
import { words } from './words.js'

interface StoredRow {
  claim: string
  value: string
  role: string
  channels?: readonly string[]
}

/** A row as it is being edited. */
export interface MapRow {
  /** Identifies it on this page alone. */
  row: string
  claim: string
  value: string
  role: string
  channels: readonly string[]
}

export const rowOf = ({ claim, value, role, channels = [] }: StoredRow): MapRow => ({
  row: newId(),
  claim,
  value,
  role,
  channels,
})

/** The rows to store, without those in which nothing is typed. */
export function rowsIn(rows: readonly MapRow[]): StoredRow[] {
  return rows
    .map(({ claim, value, role, channels }) => ({ claim: claim.trim(), value: value.trim(), role, channels }))
    .filter(({ claim, value }) => claim !== '' || value !== '')
}

/** A row that is moved, removed or added is a change like what is typed: the dialog asks before it discards it. */
function tellOfButton({ target, currentTarget }: Event): void {
  if (!(target as Element).closest('button')) return
  currentTarget!.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Edits which role and channels people get by what the provider says of them. */
export function RoleMap({ rows, set }: { rows: readonly MapRow[]; set(rows: readonly MapRow[]): void }) {
  const channels = usePages(RoleMapChannelsDocument, (data) => data.channels, 'channel')
  const change = (row: string, changed: Partial<MapRow>): void =>
    set(rows.map((each) => (each.row === row ? { ...each, ...changed } : each)))
  const names = new Map(channels.rows.map(({ id, name }) => [id, name]))
  return (
    <section class="stack" aria-label={words.roleMap} onClick={tellOfButton}>
      <h3>{words.roleMap}</h3>
      <p class="hint">{words.roleMapHelp}</p>
      {rows.map(({ row, claim, value, role, channels: chosen }, index) => (
        <fieldset key={row} class="box pad stack">
          <div class="line">
            <input
              class="in grow mono"
              aria-label={words.claim(index + 1)}
              placeholder={words.claimHint}
              autocomplete="off"
              spellcheck={false}
              value={claim}
              onInput={({ currentTarget }) => change(row, { claim: currentTarget.value })}
            />
            <input
              class="in grow mono"
              aria-label={words.value(index + 1)}
              placeholder={words.valueHint}
              autocomplete="off"
              spellcheck={false}
              value={value}
              onInput={({ currentTarget }) => change(row, { value: currentTarget.value })}
            />
            <select
              class="in fit"
              aria-label={words.role(index + 1)}
              value={role}
              onChange={({ currentTarget }) => change(row, { role: currentTarget.value })}
            >
              {Object.entries(words.roles).map(([each, name]) => (
                <option key={each} value={each}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <div class="line">
            <details class="grow">
              <summary>{words.channels(chosen.length)}</summary>
              <div class="checks">
                {[...new Set([...chosen, ...names.keys()])].map((id) => (
                  <label key={id} class="check">
                    <input
                      type="checkbox"
                      checked={chosen.includes(id)}
                      onChange={({ currentTarget: { checked } }) =>
                        change(row, { channels: checked ? [...chosen, id] : chosen.filter((each) => each !== id) })
                      }
                    />
                    <bdi>{names.get(id) ?? words.otherChannel}</bdi>
                  </label>
                ))}
                <More more={channels.more} />
              </div>
            </details>
            {index > 0 && (
              <button
                type="button"
                class="btn ghost small"
                aria-label={words.upRow(index + 1)}
                onClick={() => {
                  const moved = [...rows]
                  moved.splice(index - 1, 0, ...moved.splice(index, 1))
                  set(moved)
                }}
              >
                ↑
              </button>
            )}
            <button
              type="button"
              class="btn ghost small danger"
              aria-label={words.removeRow(index + 1)}
              onClick={() => set(rows.filter((each) => each.row !== row))}
            >
              <Icon name="x" size="s" />
            </button>
          </div>
        </fieldset>
      ))}
      <button
        type="button"
        class="btn small"
        onClick={() => set([...rows, rowOf({ claim: '', value: '', role: 'agent' })])}
      >
        <Icon name="plus" size="s" />
        {words.addRow}
      </button>
    </section>
  )
}
