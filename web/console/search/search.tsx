import { useEffect, useRef, useState } from 'preact/hooks'
import { SearchDocument, type SearchQuery } from '../../generated/search.js'
import { t } from '../../shared/i18n/messages.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import { shortTime } from '../../shared/i18n/format.js'
import { address, navigate } from '../../shared/router.js'
import { Avatar } from '../../shared/ui/avatar.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { contactPath, threadPath } from '../route.js'

type Hit = SearchQuery['search']['edges'][number]['node']
interface Found {
  hits: Hit[]
  cursor: string | null
  total: number
  text: string
}

const TYPES = ['CONVERSATION', 'MESSAGE', 'CONTACT'] as const

/** Conversations, messages and contacts by their words. The address holds what was searched for. */
export default function SearchScreen() {
  const store = useStore()
  useActWords()
  const words = catalogue.search
  const asked = new URL(address.value, location.origin).searchParams.get('q') ?? ''
  const [type, setType] = useState<(typeof TYPES)[number] | null>(null)
  const [found, setFound] = useState<Found | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => box.current?.focus(), [])
  useEffect(() => {
    document.title = `${words.title} · ${t().app}`
    setFault(null)
    if (asked.trim() === '') return setFound(null)
    const stop = new AbortController()
    load(null, stop.signal).then(setFound, (error: Error) => stop.signal.aborted || setFault(error.message))
    return () => stop.abort()
  }, [asked, type])

  const load = async (after: string | null, signal?: AbortSignal): Promise<Found> => {
    const { search } = await store.request(SearchDocument, { text: asked, types: type ? [type] : null, after }, signal)
    const hits = search.edges.map(({ node }) => node)
    return {
      hits,
      cursor: search.pageInfo.hasNextPage ? search.pageInfo.endCursor : null,
      total: search.totalCount,
      text: asked,
    }
  }
  const more = (): void => {
    if (!found?.cursor) return
    load(found.cursor).then(
      (next) => setFound({ ...next, hits: [...found.hits, ...next.hits] }),
      (error: Error) => setFault(error.message),
    )
  }
  return (
    <main class="col" id="main" tabIndex={-1}>
      <div class="scroll" tabIndex={-1}>
        <div class="page narrow">
          <header>
            <h1>{words.title}</h1>
          </header>
          <form
            role="search"
            class="stack"
            onSubmit={(event) => {
              event.preventDefault()
              navigate(`/console/search?q=${encodeURIComponent(box.current!.value.trim())}`)
            }}
          >
            <div class="line nowrap">
              <input
                ref={box}
                class="in"
                type="search"
                aria-label={words.ask}
                placeholder={words.ask}
                defaultValue={asked}
                maxLength={200}
              />
              <button class="btn primary">
                <Icon name="search" />
                {words.submit}
              </button>
            </div>
            <span class="seg" role="group" aria-label={words.kinds}>
              <button type="button" aria-pressed={type === null} onClick={() => setType(null)}>
                {words.all}
              </button>
              {TYPES.map((each) => (
                <button type="button" key={each} aria-pressed={type === each} onClick={() => setType(each)}>
                  {words[each]}
                </button>
              ))}
            </span>
          </form>
          {fault && (
            <p class="band bad" role="alert">
              <Icon name="alert" />
              {fault}
            </p>
          )}
          <p class="mute" role="status">
            {found && words.found(found.total, found.text)}
          </p>
          {found && found.hits.length > 0 && (
            <ul class="box hits" aria-label={words.results}>
              {found.hits.map((hit) => (
                <HitRow key={`${hit.__typename} ${hit.id}`} hit={hit} now={store.now.value} />
              ))}
            </ul>
          )}
          {found?.cursor && (
            <button class="btn fit" onClick={more}>
              {words.more}
            </button>
          )}
          {found?.hits.length === 0 && <p class="mid">{words.nothingHelp}</p>}
          {!found && !fault && <p class="mid">{words.help}</p>}
        </div>
      </div>
    </main>
  )
}

function HitRow({ hit, now }: { hit: Hit; now: number }) {
  const words = t()
  if (hit.__typename === 'Contact') {
    return (
      <li class="set">
        <a class="line" href={contactPath(hit.id)}>
          <Avatar name={hit.profile.name ?? '?'} of={hit.id} size="s" />
          <bdi class="b">{hit.profile.name ?? words.list.anonymous}</bdi>
        </a>
        <span class="mute t2">{hit.profile.email ?? hit.profile.telephone}</span>
      </li>
    )
  }
  const isMessage = hit.__typename === 'Message'
  const conversation = isMessage ? hit.conversation : hit
  if (!conversation) return null
  const at = isMessage ? hit.createdAt : conversation.lastMessageAt
  return (
    <li class="hit">
      <a class="other" href={threadPath(conversation.id)}>
        <Icon name={isMessage ? 'chat' : 'queue'} />
        <span class="cut">
          <bdi class="b">{conversation.contact?.profile.name || conversation.name}</bdi>{' '}
          <bdi class="mid">{isMessage ? hit.text : conversation.preview}</bdi>
        </span>
        <span class="mute t2">
          {words.thread.status[conversation.status]}
          {at && ` · ${shortTime(at, now)}`}
        </span>
      </a>
    </li>
  )
}
