import { useEffect, useState } from 'preact/hooks'
import { ContactExportsDocument, ExportContactDocument, type ContactExportsQuery } from '../../../generated/privacy.js'
import { dayTime, fileSize } from '../../../shared/i18n/format.js'
import { ErrorHint } from '../../../shared/ui/error-hint.js'
import { useStore } from '../../store/console-store.js'
import { useQuery } from '../use-query.js'
import { usePrivacyWords, words } from './words.js'

type Export = ContactExportsQuery['contactExports']['nodes'][number]

const TONES = { PENDING: 'tag warn', READY: 'tag good', FAILED: 'tag bad', EXPIRED: 'tag' } as const
/** While one is being written somebody waits for it. */
const LOOK_MS = 1_500

/** Has what is kept of a contact exported, and gives the file to whoever asks here. */
export default function ExportContact({ contact }: { contact: string }) {
  const isLoaded = usePrivacyWords()
  const store = useStore()
  const { data, error, refresh } = useQuery(ContactExportsDocument, { contact })
  const [notes, setNotes] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const exports = data?.contactExports.nodes ?? []
  const isPending = exports.some(({ status }) => status === 'PENDING')
  useEffect(() => {
    if (!isPending) return undefined
    const timer = setInterval(refresh, LOOK_MS)
    return () => clearInterval(timer)
  }, [isPending, refresh])
  const ask = (): void => {
    if (isBusy) return
    setBusy(true)
    setFault(null)
    store
      .request(ExportContactDocument, { id: contact, notes, key: crypto.randomUUID() })
      .then(refresh, ({ message }: Error) => setFault(message))
      .finally(() => setBusy(false))
  }
  if (!isLoaded) return null
  return (
    <section class="stack" aria-label={words.export}>
      <h2>{words.export}</h2>
      <p class="hint">{words.exportHelp}</p>
      <label class="check">
        <input type="checkbox" checked={notes} onChange={(event) => setNotes(event.currentTarget.checked)} />
        {words.withNotes}
      </label>
      <button type="button" class="btn fit" aria-disabled={isBusy} onClick={ask}>
        {words.exportNow}
      </button>
      <ErrorHint text={fault ?? error?.message} />
      {exports.length > 0 && (
        <ul class="box hits" role="list" aria-label={words.exports}>
          {exports.map((each) => (
            <Line key={each.id} exported={each} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Line({ exported: { status, notes, size, url, createdAt, expiresAt } }: { exported: Export }) {
  const now = useStore().now.value
  return (
    <li class="line pad">
      <span class={TONES[status]}>{words.exportStates[status]}</span>
      <span class="mute t2">
        <time dateTime={createdAt}>{dayTime(createdAt, now)}</time>
        {notes && ` · ${words.notesToo}`}
        {status === 'READY' && size !== null && ` · ${fileSize(size)}`}
        {status === 'READY' && expiresAt && ` · ${words.until(dayTime(expiresAt, now))}`}
      </span>
      {url && (
        <a class="btn small push" href={url} download>
          {words.download}
        </a>
      )}
    </li>
  )
}
