import { useState } from 'preact/hooks'
import { SendAllDocument, type MessageInput } from '../../shared/graphql/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import { Dialog } from '../../shared/ui/dialog.js'
import { Icon } from '../../shared/ui/icon.js'
import { useOffice } from '../office.js'
import { profileFieldsOf, valueAt, type Profile } from './profile-fields.js'

interface EditorProps {
  conversation: string
  profile: Profile
  close(isSaved: boolean): void
}

/** Changes the contact by `field` messages (2.12): agents may update no contact, and what was changed is in the thread. */
export function ContactEditor({ conversation, profile, close }: EditorProps) {
  const office = useOffice()
  const words = t().panel
  const fields = profileFieldsOf(office.me.value?.organization?.profileFields)
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(fields.map(({ key }) => [key, valueAt(profile, key) ?? ''])),
  )
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const save = (): void => {
    if (isBusy) return
    const changed = fields.filter(({ key }) => values[key]!.trim() !== (valueAt(profile, key) ?? ''))
    if (changed.length === 0) return close(false)
    setBusy(true)
    const messages = changed.map(({ key }) => fieldMessage(key, values[key]!.trim()))
    office.request(SendAllDocument, { conversation, messages }).then(
      () => close(true),
      (error: Error) => {
        setFault(error.message)
        setBusy(false)
      },
    )
  }
  return (
    <Dialog
      title={words.contact}
      icon="user"
      close={() => close(false)}
      submit={save}
      footer={
        <>
          <button type="button" class="btn" onClick={() => close(false)}>
            {t().cancel}
          </button>
          <button class="btn primary" aria-disabled={isBusy}>
            {isBusy ? words.saving : t().save}
          </button>
        </>
      }
    >
      {fields.map(({ key, label }) => (
        <div class="field" key={key}>
          <label for={`contact-${key}`}>{label}</label>
          <input
            class="in"
            id={`contact-${key}`}
            dir="auto"
            autocomplete="off"
            value={values[key]}
            onInput={(event) => setValues({ ...values, [key]: event.currentTarget.value })}
          />
        </div>
      ))}
      {fault && (
        <p class="hint bad" role="alert">
          <Icon name="alert" size="s" />
          {fault}
        </p>
      )}
    </Dialog>
  )
}

function fieldMessage(key: string, value: string): MessageInput {
  return { type: 'FIELD', role: 'AGENT', isBackchannel: true, text: `.${key} ${value}`.trimEnd(), meta: { key } }
}
