import { useEffect, useState } from 'preact/hooks'
import { SetBotMaskDocument, type MaskedKind } from '../../../generated/bots-admin.js'
import { t } from '../../../shared/i18n/messages.js'
import { ErrorHint } from '../../../shared/ui/error-hint.js'
import { useStore } from '../../store/console-store.js'
import type { Bot } from './grants.js'
import { words } from './words.js'

const KINDS = Object.keys(words.mask.kinds) as MaskedKind[]

interface MaskBoxProps {
  bot: Bot
  refresh(): void
}

/** The kinds that a bot does not read in texts. */
export function MaskBox({ bot, refresh }: MaskBoxProps) {
  const store = useStore()
  // As an own change left it, until an answer tells something else.
  const [own, setOwn] = useState<Pick<Bot, 'mask'> | null>(null)
  useEffect(() => setOwn(null), [bot.mask])
  const saved = (own ?? bot).mask ?? []
  const [edited, edit] = useState<MaskedKind[] | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const chosen = edited ?? saved
  const save = async (): Promise<void> => {
    if (isBusy || !edited) return
    setBusy(true)
    setFault(null)
    try {
      const { updateUser } = await store.request(SetBotMaskDocument, { bot: bot.id, mask: edited })
      setOwn(updateUser)
      // What was chosen meanwhile stays.
      edit((now) => (now === edited ? null : now))
      setSaved(true)
    } catch (error) {
      setFault((error as Error).message)
    } finally {
      setBusy(false)
      refresh()
    }
  }
  return (
    <section class="box" aria-labelledby="bot-mask">
      <header>
        <h2 id="bot-mask">{words.mask.title}</h2>
        <span class="mute t2 push" role="status">
          {isBusy ? words.saving : edited ? words.unsaved : isSaved ? words.saved : ''}
        </span>
      </header>
      <form
        class="pad stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <p class="mid">{words.mask.lead}</p>
        <fieldset class="field checks">
          <legend>{words.mask.legend}</legend>
          {KINDS.map((kind) => (
            <label key={kind} class="check">
              <input
                type="checkbox"
                checked={chosen.includes(kind)}
                onChange={({ currentTarget: { checked } }) => {
                  setSaved(false)
                  edit(KINDS.filter((each) => (each === kind ? checked : chosen.includes(each))))
                }}
              />
              {words.mask.kinds[kind]}
            </label>
          ))}
          <p class="hint">{words.mask.help}</p>
        </fieldset>
        <ErrorHint text={fault} />
        <p class="line">
          <button class="btn primary" aria-disabled={isBusy || !edited}>
            {t().save}
          </button>
          {edited && (
            <button type="button" class="btn" onClick={() => edit(null)}>
              {t().cancel}
            </button>
          )}
        </p>
      </form>
    </section>
  )
}
