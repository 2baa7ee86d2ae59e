import type { FunctionComponent } from 'preact'
import { useState } from 'preact/hooks'
import { PasskeysDocument } from '../../generated/passkeys.js'
import { shortTime } from '../../shared/i18n/format.js'
import { t } from '../../shared/i18n/messages.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { useQuery } from '../admin/use-query.js'
import { useStore } from '../store/console-store.js'
import { hasPasskeys } from './passkey-browser.js'
import type { PasskeyDialogProps } from './passkey-dialog.js'
import { usePasskeyWords, words } from './passkey-words.js'

type Change = Pick<PasskeyDialogProps, 'change' | 'passkey'>

/** One's own passkeys, each to be renamed and removed. @param changed tells that a factor has come or gone */
export function OwnPasskeys({ hasFactor, changed }: { hasFactor: boolean; changed(): void }) {
  usePasskeyWords()
  const store = useStore()
  const { data, error, refresh } = useQuery(PasskeysDocument, { user: 'me' }, 'user')
  const [opened, open] = useState<(Change & { Dialog: FunctionComponent<PasskeyDialogProps> }) | null>(null)
  const [isFailed, setFailed] = useState(false)
  const passkeys = data?.passkeys ?? []
  const time = (at: string): string => shortTime(at, store.now.value)
  const begin = (change: Change): void => {
    setFailed(false)
    import('./passkey-dialog.js').then(
      (module) => open({ ...change, Dialog: module.default }),
      () => setFailed(true),
    )
  }
  const close = (): void => {
    open(null)
    refresh()
    changed()
  }
  return (
    <>
      <div class="set">
        <span>
          {words.title}
          <small>{words.about}</small>
        </span>
        {data && hasPasskeys() && (
          <button
            type="button"
            class="btn small"
            aria-label={words.addTitle}
            onClick={() => begin({ change: 'add', passkey: null })}
          >
            {words.add}
          </button>
        )}
      </div>
      <ErrorHint text={isFailed ? t().signIn.unreachable : error?.message} />
      {passkeys.map(({ id, name, createdAt, usedAt }) => (
        <div class="set" key={id}>
          <span>
            <bdi>{name}</bdi>
            <small>
              {words.added(time(createdAt))} · {usedAt ? words.lastUsed(time(usedAt)) : words.never}
            </small>
          </span>
          <div>
            {(['rename', 'remove'] as const).map((change) => (
              <button
                key={change}
                type="button"
                class="btn ghost small"
                aria-label={`${words[change]}: ${name}`}
                onClick={() => begin({ change, passkey: { id, name } })}
              >
                {words[change]}
              </button>
            ))}
          </div>
        </div>
      ))}
      {opened && (
        <opened.Dialog
          change={opened.change}
          passkey={opened.passkey}
          hasFactor={hasFactor}
          hasPasskey={passkeys.length > 0}
          close={close}
        />
      )}
    </>
  )
}
