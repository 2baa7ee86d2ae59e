import { useState } from 'preact/hooks'
import { type MessageInput } from '../../generated/conversations.js'
import { SendAllDocument } from '../../generated/beside.js'
import { t } from '../../shared/i18n/messages.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import { useStore } from '../store/console-store.js'
import { RequestDialog } from '../request-dialog.js'
import { profileFieldsOf, valueAt, type Profile } from './profile-fields.js'

interface EditorProps {
  conversation: string
  profile: Profile
  close(isSaved: boolean): void
}

/** Changes the contact by `field` messages (2.12): agents may not update contacts, and the thread shows each change. */
export function ContactEditor({ conversation, profile, close }: EditorProps) {
  const store = useStore()
  useActWords()
  const words = catalogue.panel
  const fields = profileFieldsOf(store.organization.me.value?.organization?.profileFields)
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(fields.map(({ key }) => [key, valueAt(profile, key) ?? ''])),
  )
  const changed = fields.filter(({ key }) => values[key]!.trim() !== (valueAt(profile, key) ?? ''))
  const save = async (): Promise<void> => {
    const messages = changed.map(({ key }) => fieldMessage(key, values[key]!.trim()))
    if (messages.length > 0) await store.request(SendAllDocument, { conversation, messages })
  }
  return (
    <RequestDialog
      title={words.contact}
      icon="user"
      label={t().save}
      busyLabel={words.saving}
      tone="primary"
      submit={save}
      close={(isDone) => close(isDone && changed.length > 0)}
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
    </RequestDialog>
  )
}

function fieldMessage(key: string, value: string): MessageInput {
  return { type: 'FIELD', role: 'AGENT', isBackchannel: true, text: `.${key} ${value}`.trimEnd(), meta: { key } }
}
