import { useEffect, useRef, useState } from 'preact/hooks'
import { ContactListDocument } from '../../generated/contacts.js'
import { t } from '../../shared/i18n/messages.js'
import { address, navigate } from '../../shared/router.js'
import { Avatar } from '../../shared/ui/avatar.js'
import { contactPath } from '../route.js'
import { NotLoaded } from './not-loaded.js'
import { useAllPages } from '../lists/use-all-pages.js'
import { words } from './words.js'

/** So long after the last letter is searched. */
const QUIET_MS = 250

/** The contacts by their names, newest first; the address holds what was searched for. */
export function ContactList() {
  const asked = new URL(address.value, location.origin).searchParams.get('q') ?? ''
  const [typed, type] = useState(asked)
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => box.current?.focus(), [])
  useEffect(() => {
    if (typed === asked) return
    const timer = setTimeout(
      () =>
        navigate(`/console/contacts${typed.trim() ? `?q=${encodeURIComponent(typed.trim())}` : ''}`, { replace: true }),
      QUIET_MS,
    )
    return () => clearTimeout(timer)
  }, [typed])
  const filter = asked ? { q: asked } : null
  const { rows, more, error, refresh } = useAllPages(ContactListDocument, { filter }, ({ contacts }) => contacts)
  return (
    <main class="col" id="main" tabIndex={-1}>
      <div class="scroll" tabIndex={-1}>
        <div class="page narrow">
          <header>
            <h1>{words.title}</h1>
            <p class="mid">{words.lead}</p>
          </header>
          <input
            ref={box}
            class="in"
            type="search"
            aria-label={words.find}
            placeholder={words.find}
            value={typed}
            maxLength={200}
            onInput={(event) => type(event.currentTarget.value)}
          />
          {error && <NotLoaded error={error} again={refresh} />}
          {rows && rows.length > 0 && (
            <ul class="box hits" role="list" aria-label={words.title}>
              {rows.map(({ id, status, profile }) => (
                <li class="hit" key={id}>
                  <a class="other" href={contactPath(id)}>
                    <Avatar name={profile.name ?? '?'} of={id} size="s" />
                    <span class="cut">
                      <bdi class="b">{profile.name ?? t().list.anonymous}</bdi>{' '}
                      <bdi class="mid">{profile.worksFor}</bdi>
                    </span>
                    <span class="mute t2 cut">
                      {status === 'BLOCKED' && <span class="tag">{words.blocked}</span>}{' '}
                      <bdi>{profile.email ?? profile.telephone}</bdi>
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          )}
          {rows?.length === 0 && <p class="mid">{asked ? words.none : words.noneYet}</p>}
          {more && (
            <button class="btn fit" onClick={more}>
              {words.more}
            </button>
          )}
        </div>
      </div>
    </main>
  )
}
