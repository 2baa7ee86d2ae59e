import type { Signal } from '@preact/signals'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import type { Touchpoint } from '../../generated/live.js'
import { dayTime, duration } from '../../shared/i18n/format.js'
import { t } from '../../shared/i18n/messages.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { TOUCHPOINT_TRAITS } from '../../shared/touchpoint-traits.js'
import { Icon } from '../../shared/ui/icon.js'
import type { Uploads } from '../composer/use-upload.js'
import type { Target, Via } from '../composer/via.js'
import { useStore } from '../store/console-store.js'
import { choosing } from './choosing.js'
import { labelOf } from './route-label.js'
import { RouteNotes } from './route-notes.js'
import { TemplateDialog } from './template-dialog.js'
import { useRoutes } from './use-routes.js'
import { keyOf, isBarred, routeFor, takesText, targetOf, type Route } from './way.js'
import { useRouteWords, words } from './words.js'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** From when on its end is said aloud, once. */
const SOON_MS = 10 * MINUTE_MS

interface RouteLineProps {
  thread: ThreadFrame
  /** The consumer's. */
  name: string
  isNote: boolean
  /** The ways that the conversation names, for as long as its routes are not known. */
  choices: readonly Touchpoint[]
  to: Signal<Target>
  /** Is set to the way that the next message takes. */
  via: Signal<Via | null>
  text: string
  uploads: Uploads
  box: { current: HTMLTextAreaElement | null }
  /** Called after the agent has chosen another one. */
  chosen(): void
}

/** The way that the answer will take, which can be changed, until when it is open, and what can be done when it is not. */
export function RouteLine(props: RouteLineProps) {
  const { thread, name, isNote, choices, to, via, chosen } = props
  useRouteWords()
  const store = useStore()
  const routes = useRoutes(thread)
  const now = store.now.value
  const all = routes.value ?? []
  const route = routeFor(all, to.value, now)
  useLayoutEffect(() => {
    const isClosed = (): boolean => {
      const at = store.session.now()
      const by = routeFor(routes.peek() ?? [], to.peek(), at)
      return by !== undefined && isBarred(by, at)
    }
    via.value = route ? { touchpoint: route.touchpoint, isBarred: isClosed } : null
  }, [route?.touchpoint])
  useEffect(() => {
    // The chosen one is gone.
    if (all.length > 0 && !route) to.value = {}
  }, [all.length, route])
  const dialog = choosing.value !== null && (
    <TemplateDialog thread={thread} given={choosing.value} close={() => (choosing.value = null)} />
  )
  if (isNote) return dialog
  const options = all.length > 0 ? optionsOf(all, now) : choices.map(choiceOf)
  const value = options.find((each) => (route ? each.route === route : each.key === to.value.touchpoint))?.key ?? ''
  const touchpoint = route?.touchpoint ?? choices[0]
  return (
    <>
      <span class="way">
        {touchpoint && <Icon name={TOUCHPOINT_TRAITS[touchpoint].icon} size="s" />}
        {options.length > 1 ? (
          <select
            class="in bare"
            aria-label={t().composer.sendBy}
            value={value}
            onChange={(event) => {
              to.value = options.find(({ key }) => key === event.currentTarget.value)!.target
              chosen()
            }}
          >
            {options.map(({ key, label, isUsable }) => (
              <option key={key} value={key}>
                {t().composer.by(name, label)}
                {isUsable ? '' : ` (${words.unusable})`}
              </option>
            ))}
          </select>
        ) : (
          options.map(({ key, label }) => (
            <span key={key} class="t2 mute cut">
              {t().composer.by(name, label)}
            </span>
          ))
        )}
        {all.some(({ takesTemplates }) => takesTemplates) && (
          <button
            type="button"
            class="btn ghost icon small"
            aria-label={words.choose}
            onClick={() => (choosing.value = route?.takesTemplates ? route.service!.id : '')}
          >
            <Icon name="form" />
          </button>
        )}
      </span>
      {route && takesText(route, now) && <Countdown route={route} label={labelOf(route, all)} now={now} />}
      {route && <RouteNotes {...props} routes={all} route={route} />}
      {dialog}
    </>
  )
}

interface Option {
  key: string
  route?: Route
  target: Target
  label: string
  isUsable: boolean
}

/** The first option is what the server takes by itself. */
function optionsOf(routes: readonly Route[], now: number): Option[] {
  const own = routeFor(routes, {}, now)!
  return [own, ...routes.filter((each) => each !== own)].map((route) => {
    const target: Target = route === own ? {} : targetOf(route)
    const key = route === own ? '' : keyOf(route)
    return { key, route, target, label: labelOf(route, routes), isUsable: takesText(route, now) }
  })
}

function choiceOf(touchpoint: Touchpoint, index: number): Option {
  const target: Target = index === 0 ? {} : { touchpoint }
  return { key: index === 0 ? '' : touchpoint, target, label: t().touchpoint[touchpoint], isUsable: true }
}

/** Moves with the minutes; only its end is said aloud. */
function Countdown({ route: { openUntil }, label, now }: { route: Route; label: string; now: number }) {
  if (openUntil === null) return null
  const left = Date.parse(openUntil) - now
  if (left > DAY_MS) return null
  const isSoon = left < SOON_MS
  return (
    <>
      <span class={isSoon ? 'until t2 warn' : 'until t2 mute'}>
        <Icon name="clock" size="s" />
        {words.openUntil(dayTime(openUntil, now), duration(Math.max(left, MINUTE_MS)))}
      </span>
      <span class="vh" role="status">
        {isSoon && words.soon(label)}
      </span>
    </>
  )
}
