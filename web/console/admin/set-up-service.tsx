import { useEffect, useRef, useState } from 'preact/hooks'
import {
  AdminServiceTrafficDocument,
  TestServiceDocument,
  type ServiceCheckCode,
  type TestServiceMutation,
} from '../../generated/admin.js'
import { Dialog } from '../../shared/ui/dialog.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { Copied } from './copied.js'
import { ProviderSignIn } from './provider-sign-in.js'
import { nameOf, type Service, type ServiceKind } from './service-kinds.js'
import { words } from './words.js'

const LOOK_MS = 2_000
const WAIT_SECONDS = 60
/** Text that reads show in place of a secret. */
const MASK = '********'

type Step = ServiceKind['connect'][number]
type Result = TestServiceMutation['testService']

interface SetUpServiceProps {
  service: Service
  kind: ServiceKind
  close(): void
}

/** Leads through what has to be done at the provider, tries the service out, and waits for a message and its answer. */
export function SetUpService({ service, kind, close }: SetUpServiceProps) {
  const store = useStore()
  const own = words.tests
  const [to, setTo] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [result, setResult] = useState<Result | null>(null)
  const reaches = kind.touchpoint !== null
  const name = nameOf(service, new Map([[kind.type, kind]]))
  const run = (): void => {
    if (isBusy || kind.test === null) return
    setBusy(true)
    setResult(null)
    store
      .request(TestServiceDocument, { service: service.id, to: to.trim() || null })
      .then(
        ({ testService }) => setResult(testService),
        (error: Error) => setResult({ ok: false, message: error.message, code: null, durationMs: 0 }),
      )
      .finally(() => setBusy(false))
  }
  return (
    <Dialog
      title={reaches ? own.setUpTitle(name) : own.title(name)}
      close={close}
      submit={run}
      footer={
        <>
          <button type="button" class="btn" onClick={close}>
            {own.close}
          </button>
          {kind.test !== null && (
            <button class="btn primary" aria-disabled={isBusy}>
              {isBusy ? own.running : own.run}
            </button>
          )}
        </>
      }
    >
      {kind.connect.length > 0 && (
        <section class="stack" aria-label={own.atProvider}>
          <h3>{own.atProvider}</h3>
          {kind.connect.map((step) => (
            <Connect key={step.text} step={step} service={service} kind={kind} />
          ))}
        </section>
      )}
      <ProviderSignIn service={service} kind={kind} />
      {kind.test !== null && (
        <section class="stack" aria-label={own.check}>
          {reaches && <h3>{own.check}</h3>}
          <p>{kind.test}</p>
          {kind.isTestedByTelephone && (
            <div class="field">
              <label for="test-to">{own.to}</label>
              <input
                id="test-to"
                class="in"
                type="tel"
                aria-describedby="test-to-hint"
                value={to}
                onInput={(event) => setTo(event.currentTarget.value)}
              />
              <p id="test-to-hint" class="hint">
                {own.toHelp}
              </p>
            </div>
          )}
          <div role="status">{result && <Found result={result} />}</div>
        </section>
      )}
      {reaches && <Traffic service={service.id} />}
    </Dialog>
  )
}

function Found({ result: { ok, message, code } }: { result: Result }) {
  const own = words.tests
  return (
    <p class={ok ? 'band good' : 'band warn'}>
      <Icon name={ok ? 'check' : 'alert'} />
      <span class="grow">
        <b>{ok ? own.works : own.fails}</b> <bdi lang="en">{message}</bdi>
        {code && <> {words.health.fixes[code satisfies ServiceCheckCode]}</>}
      </span>
    </p>
  )
}

/** A step at the provider, with what is copied there. */
function Connect({ step, service, kind }: { step: Step; service: Service; kind: ServiceKind }) {
  const { text, address, param } = step
  const value = param === null ? undefined : service.params[param]
  const label = kind.params.find(({ key }) => key === param)?.label ?? param
  return (
    <>
      <p>{text}</p>
      {address && <Copied text={address.replace('{service}', service.id)} />}
      {address?.startsWith('http:') && <p class="hint bad">{words.tests.needsHttps}</p>}
      {typeof value === 'string' &&
        (value === MASK ? (
          <p class="hint">
            {label}: {words.tests.isHidden}
          </p>
        ) : (
          <Copied label={label} text={value} />
        ))}
    </>
  )
}

interface Seen {
  lastInAt: string | null
  lastOutAt: string | null
}

/** Waits for a message of the administrator's own, and then for an answer to it. */
function Traffic({ service }: { service: string }) {
  const store = useStore()
  const own = words.tests
  const first = useRef<Seen | null>(null)
  const [last, setLast] = useState<Seen | null>(null)
  const [waited, setWaited] = useState(0)
  const hasCome = last !== null && last.lastInAt !== first.current!.lastInAt
  // One that went out before the message came is no answer to it.
  const hasGone = hasCome && last.lastOutAt !== null && last.lastOutAt > last.lastInAt!
  const isWaiting = !hasGone && waited < WAIT_SECONDS
  useEffect(() => setWaited(0), [hasCome])
  useEffect(() => {
    if (!isWaiting) return undefined
    const stop = new AbortController()
    const look = (): void => {
      store.request(AdminServiceTrafficDocument, { id: service }, stop.signal).then(
        ({ service: found }) => {
          if (!found?.health) return
          first.current ??= found.health
          setLast(found.health)
        },
        // It is asked again.
        () => null,
      )
    }
    look()
    const looking = setInterval(look, LOOK_MS)
    const counting = setInterval(() => setWaited((seconds) => seconds + 1), 1_000)
    return () => {
      stop.abort()
      clearInterval(looking)
      clearInterval(counting)
    }
  }, [service, store, isWaiting])
  return (
    <section class="stack" role="status" aria-label={own.write}>
      <Awaited label={own.write} isDone={hasCome} done={own.came} missing={own.nothing} waited={waited} />
      {hasCome && (
        <Awaited label={own.answer} isDone={hasGone} done={own.went} missing={own.noAnswer} waited={waited} />
      )}
      {!hasGone && !isWaiting && (
        <button type="button" class="btn small" onClick={() => setWaited(0)}>
          {own.again}
        </button>
      )}
    </section>
  )
}

interface AwaitedProps {
  label: string
  isDone: boolean
  done: string
  missing: string
  waited: number
}

function Awaited({ label, isDone, done, missing, waited }: AwaitedProps) {
  const isMissing = !isDone && waited >= WAIT_SECONDS
  return (
    <p class={isDone ? 'band good' : isMissing ? 'band warn' : 'band'}>
      <Icon name={isDone ? 'check' : isMissing ? 'alert' : 'clock'} />
      <span class="grow">
        <b>{label}</b>{' '}
        {isDone ? done : isMissing ? missing : <span aria-hidden="true">{words.tests.waiting(waited)}</span>}
      </span>
    </p>
  )
}
