import type { Signal } from '@preact/signals'
import { dayTime } from '../../shared/i18n/format.js'
import { Icon } from '../../shared/ui/icon.js'
import type { Uploads } from '../composer/use-upload.js'
import type { Target } from '../composer/via.js'
import { useStore } from '../store/console-store.js'
import { choosing } from './choosing.js'
import { labelOf } from './route-label.js'
import { keyOf, isBarred, takesText, targetOf, type Route } from './way.js'
import { words } from './words.js'

interface RouteNotesProps {
  /** The consumer's. */
  name: string
  routes: readonly Route[]
  /** The one of the next message. */
  route: Route
  to: Signal<Target>
  text: string
  uploads: Uploads
  box: { current: HTMLTextAreaElement | null }
}

/** Says why nothing can be sent by the route, with what can be done instead; else what it cannot show as it is. */
export function RouteNotes({ name, routes, route, to, text, uploads, box }: RouteNotesProps) {
  const store = useStore()
  const now = store.now.value
  if (isBarred(route, now)) {
    const others = routes.filter((each) => takesText(each, now))
    return (
      <div class="band warn barred" role="status">
        <Icon name="lock" />
        <span class="grow">
          {reasonOf(route, routes, name, now)} {text.trim() !== '' && words.kept}
        </span>
        {route.takesTemplates && (
          <button type="button" class="btn small" onClick={() => (choosing.value = route.service!.id)}>
            {words.choose}
          </button>
        )}
        {others.map((each) => (
          <button
            key={keyOf(each)}
            type="button"
            class="btn small"
            onClick={() => {
              to.value = targetOf(each)
              box.current?.focus()
            }}
          >
            {words.instead(labelOf(each, routes))}
          </button>
        ))}
      </div>
    )
  }
  const isChosen = Object.keys(to.value).length > 0
  const notes = notesOf(route, { routes, name, text: text.trim(), uploads, now, isChosen })
  return (
    <>
      {notes.map(([note, isBad]) => (
        <p key={note} class={isBad ? 'hint bad note' : 'hint note'} role="status">
          <Icon name={isBad ? 'alert' : 'info'} size="s" />
          {note}
        </p>
      ))}
    </>
  )
}

function reasonOf(route: Route, routes: readonly Route[], name: string, now: number): string {
  const { problem, openUntil } = route
  const label = labelOf(route, routes)
  if (problem === 'NO_ADDRESS') return words.unknown(label, name)
  if (problem === null || problem === 'WINDOW_CLOSED') {
    return words.closed(label, name, openUntil ? dayTime(openUntil, now) : '')
  }
  return words.barred[problem](label, name)
}

type Note = [text: string, isBad: boolean]

interface NotesOptions extends Pick<RouteNotesProps, 'routes' | 'name' | 'text' | 'uploads'> {
  now: number
  /** The agent knows that it is another one. */
  isChosen: boolean
}

function notesOf(route: Route, { routes, name, text, uploads, now, isChosen }: NotesOptions): Note[] {
  const label = labelOf(route, routes)
  if (route.problem === 'NO_ADDRESS') return [[words.noAddress(label, name), true]]
  const [first] = routes
  const isInstead = !isChosen && first !== undefined && first !== route && first.problem === 'WINDOW_CLOSED'
  const { textCharsMax, splitsText, fileBytesMax } = route.formats ?? {}
  const isLong = textCharsMax != null && text.length > textCharsMax
  const links = uploads.all.value.filter(({ size }) => fileBytesMax != null && size > fileBytesMax)
  const notes: (Note | false)[] = [
    isInstead && [`${reasonOf(first, routes, name, now)} ${words.goesBy(label)}`, false],
    isLong &&
      (splitsText
        ? [words.split(Math.ceil(text.length / textCharsMax)), false]
        : [words.tooLong(label, textCharsMax), true]),
    ...links.map((file): Note => [words.link(file.name, label), false]),
  ]
  return notes.filter((note) => note !== false)
}
