import { useEffect, useMemo, useState } from 'preact/hooks'
import { WALLBOARD } from '../../shared/live/wallboard.js'
import { Avatar } from '../../shared/ui/avatar.js'
import { Icon } from '../../shared/ui/icon.js'
import { Table } from '../admin/section.js'
import { useStore, type ConsoleStore } from '../store/console-store.js'
import { took } from './format.js'
import { percent } from './metric.js'
import { t } from '../../shared/i18n/messages.js'
import { words } from './words.js'

/** For the wall: what waits and who is there, in numbers that can be read from afar. */
export function Wallboard() {
  const store = useStore()
  const own = words.wallboard
  const shown = useMemo(() => store.live.open(WALLBOARD, {}), [])
  useEffect(() => () => shown.close(), [])
  const now = useNow(store)
  const state = shown.state.value
  const error = shown.error.value
  const isStale = store.live.connection.value.is !== 'live'
  const since = (at: string | null): string => (at === null ? '–' : took(Math.max(0, now - Date.parse(at))))
  return (
    <main class="col" id="main" tabIndex={-1} aria-busy={state === null && error === null}>
      <div class="scroll" tabIndex={-1}>
        <div class="page wallboard" data-stale={isStale || undefined}>
          <header>
            <h1>{words.sections.wallboard}</h1>
            <button class="btn push" onClick={() => void document.querySelector('.wallboard')?.requestFullscreen()}>
              {own.large}
            </button>
          </header>
          {error && (
            <p class="band warn" role="alert">
              <Icon name="alert" />
              {error.message}
            </p>
          )}
          {isStale && (
            <p class="band warn" role="status">
              <Icon name="off" />
              {own.stale}
            </p>
          )}
          {state && (
            <>
              <dl class="tiles large">
                <Tile label={own.waiting} value={String(state.waiting)} tone={state.waiting > 0 ? 'hot' : undefined} />
                <Tile
                  label={own.longest}
                  value={since(state.waitingSince)}
                  tone={state.waiting > 0 ? 'hot' : undefined}
                />
                <Tile label={own.atRisk} value={String(state.atRisk)} tone={state.atRisk > 0 ? 'hot' : undefined} />
                <Tile
                  label={own.overdue}
                  value={String(state.breached)}
                  tone={state.breached > 0 ? 'bad' : undefined}
                  more={state.overdueSince && since(state.overdueSince)}
                />
                <Tile label={own.active} value={String(state.active)} />
                <Tile label={own.offered} value={String(state.offers)} />
                <Tile label={own.online} value={String(state.online)} />
                <Tile label={own.serviceLevelToday} value={percent(state.serviceLevelToday)} />
                <Tile label={own.handledToday} value={String(state.handledToday)} />
                <Tile label={own.abandonedToday} value={String(state.abandonedToday)} />
              </dl>
              <div class="grid two">
                <Table
                  label={own.channels}
                  heads={[
                    own.channel,
                    own.waiting,
                    own.longest,
                    own.offered,
                    own.atRisk,
                    own.overdue,
                    own.active,
                    own.serviceLevelToday,
                    own.handledToday,
                    own.abandonedToday,
                  ]}
                  figures={9}
                  action={null}
                >
                  {state.channels.map((channel) => (
                    <tr key={channel.id}>
                      <th scope="row">
                        <bdi>{channel.name}</bdi>
                        {!channel.isOnline && <small class="mute"> {own.isOffline}</small>}
                      </th>
                      <td class="num">{channel.waiting}</td>
                      <td class="num">{since(channel.waitingSince)}</td>
                      <td class="num">{channel.offers}</td>
                      <td class={channel.atRisk > 0 ? 'num warn' : 'num'}>{channel.atRisk}</td>
                      <td class={channel.breached > 0 ? 'num bad' : 'num'}>{channel.breached}</td>
                      <td class="num">{channel.active}</td>
                      <td class="num">{percent(channel.serviceLevelToday)}</td>
                      <td class="num">{channel.handledToday}</td>
                      <td class="num">{channel.abandonedToday}</td>
                    </tr>
                  ))}
                </Table>
                <Table
                  label={own.agents}
                  heads={[own.agent, own.state, own.offered, own.active]}
                  figures={2}
                  action={null}
                >
                  {state.agents.map((agent) => (
                    <tr key={agent.id}>
                      <th scope="row">
                        <span class="line">
                          <Avatar name={agent.name} of={agent.id} size="s" />
                          <bdi>{agent.name}</bdi>
                        </span>
                      </th>
                      <td>
                        <span class="dot" data-is={agent.standing} /> {t().staffing.standings[agent.standing]}
                        {agent.reason && <small class="mute"> {agent.reason}</small>}
                        {agent.standing !== 'SIGNED_OUT' && !agent.isOnline && (
                          <small class="mute"> {own.isNotConnected}</small>
                        )}
                      </td>
                      <td class="num">{agent.offers}</td>
                      <td class="num">{agent.active}</td>
                    </tr>
                  ))}
                </Table>
              </div>
            </>
          )}
        </div>
      </div>
    </main>
  )
}

interface TileProps {
  label: string
  value: string
  /** A figure that wants attention, or is too late. */
  tone?: 'hot' | 'bad' | undefined
  more?: string | null
}

function Tile({ label, value, tone, more }: TileProps) {
  // A unit is smaller than its figure.
  const [figure, unit] = value.split(' ')
  return (
    <div class={`box tile ${tone ?? ''}`}>
      <dt class="mid">{label}</dt>
      <dd>
        {figure}
        {unit && <small> {unit}</small>}
        {more && <small> {more}</small>}
      </dd>
    </div>
  )
}

/** The server's time. Moves each second, between the frames too: how long somebody waits goes on. */
function useNow({ session }: ConsoleStore): number {
  const [now, set] = useState(session.now())
  useEffect(() => {
    const timer = setInterval(() => set(session.now()), 1_000)
    return () => clearInterval(timer)
  }, [session])
  return now
}
