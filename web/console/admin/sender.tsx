import { useState } from 'preact/hooks'
import {
  RequestSenderVerificationDocument,
  VerifySenderDocument,
  type AdminServicesQuery,
} from '../../generated/admin.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { words } from './words.js'

type MailSender = NonNullable<AdminServicesQuery['services']['edges'][number]['node']['sender']>

/** Says whether mail may go out from the address of an email service. */
export function SenderTag({ sender }: { sender: MailSender | null }) {
  if (!sender?.isRequired) return null
  const own = words.senders
  return <span class={sender.isVerified ? 'tag good' : 'tag warn'}>{sender.isVerified ? own.verified : own.waits}</span>
}

/** Both ways to prove an address: a code by mail, or a record of its domain. */
export function Sender({ service, sender, refresh }: { service: string; sender: MailSender; refresh(): void }) {
  const store = useStore()
  const own = words.senders
  const [code, setCode] = useState('')
  const [said, say] = useState<{ text: string; isBad: boolean } | null>(null)
  const run = (work: Promise<unknown>, done: string): void => {
    say(null)
    work.then(
      () => {
        say({ text: done, isBad: false })
        refresh()
      },
      (error: Error) => say({ text: error.message, isBad: true }),
    )
  }
  const verify = (given: string | null): void =>
    run(store.request(VerifySenderDocument, { service, code: given }), own.verified)
  const ask = (): void => run(store.request(RequestSenderVerificationDocument, { service }), own.mailed(sender.address))
  return (
    <section class="box" aria-label={own.title(sender.address)}>
      <header>
        <Icon name="alert" />
        <h2>
          <bdi>{own.title(sender.address)}</bdi>
        </h2>
      </header>
      <form
        class="pad stack"
        onSubmit={(event) => {
          event.preventDefault()
          verify(code.trim())
        }}
      >
        <p>{own.why}</p>
        <div class="line">
          <button type="button" class="btn small" onClick={ask}>
            {own.mail}
          </button>
          <label class="line">
            {own.code}
            <input value={code} autocomplete="one-time-code" onInput={(event) => setCode(event.currentTarget.value)} />
          </label>
          <button class="btn small" disabled={code.trim() === ''}>
            {own.verify}
          </button>
        </div>
        <p>{own.record}</p>
        <code class="code">
          {sender.dnsName} TXT "{sender.dnsValue}"
        </code>
        <div class="line">
          <button type="button" class="btn small" onClick={() => verify(null)}>
            {own.look}
          </button>
        </div>
        {said && (
          <p class={said.isBad ? 'band warn' : 'mute'} role="status">
            {said.text}
          </p>
        )}
      </form>
    </section>
  )
}
