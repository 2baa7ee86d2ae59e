import { useState } from 'preact/hooks'
import { TestServiceDocument, type TestServiceMutation } from '../../generated/admin.js'
import { Dialog } from '../../shared/ui/dialog.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import type { Service } from './service-kinds.js'
import { words } from './words.js'

/** Tries a service out as it is stored, and says what came of it. */
export function TestService({ service, close }: { service: Service; close(): void }) {
  const store = useStore()
  const own = words.tests
  const [to, setTo] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [result, setResult] = useState<TestServiceMutation['testService'] | null>(null)
  const name = service.name ?? words.services.kinds[service.type] ?? service.type
  const run = (): void => {
    if (isBusy) return
    setBusy(true)
    setResult(null)
    store
      .request(TestServiceDocument, { service: service.id, to: to.trim() || null })
      .then(
        ({ testService }) => setResult(testService),
        (error: Error) => setResult({ ok: false, message: error.message, durationMs: 0 }),
      )
      .finally(() => setBusy(false))
  }
  return (
    <Dialog
      title={own.title(name)}
      close={close}
      submit={run}
      footer={
        <>
          <button type="button" class="btn" onClick={close}>
            {own.close}
          </button>
          <button class="btn primary" aria-disabled={isBusy}>
            {isBusy ? own.running : own.run}
          </button>
        </>
      }
    >
      <p>{own.help[service.type]}</p>
      {service.type === 'sms' && (
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
      <div role="status">
        {result && (
          <p class={result.ok ? 'band good' : 'band warn'}>
            <Icon name={result.ok ? 'check' : 'alert'} />
            <b>{result.ok ? own.works : own.fails}</b>
            <bdi lang="en">{result.message}</bdi>
          </p>
        )}
      </div>
    </Dialog>
  )
}
