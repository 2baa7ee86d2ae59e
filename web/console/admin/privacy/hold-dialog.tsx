import { useEffect, useRef, useState } from 'preact/hooks'
import { ContactsToHoldDocument, CreateHoldDocument, type ContactsToHoldQuery } from '../../../generated/privacy.js'
import { t } from '../../../shared/i18n/messages.js'
import { RequestDialog } from '../../request-dialog.js'
import { useStore } from '../../store/console-store.js'
import { beginningOf, DayField } from '../days.js'
import { words as admin } from '../words.js'
import { words } from './words.js'

type Found = Extract<ContactsToHoldQuery['search']['edges'][number]['node'], { __typename: 'Contact' }>

/** A contact that a hold is to name. */
export interface Named {
  id: string
  name: string
}

interface HoldDialogProps {
  /** The contact from whose page it is made; else they are looked for. */
  contact?: string
  close(isDone: boolean): void
}

/** Makes a hold of contacts, or of a span of time. */
export function HoldDialog({ contact, close }: HoldDialogProps) {
  const store = useStore()
  const key = useRef(crypto.randomUUID())
  const [name, setName] = useState('')
  const [reason, setReason] = useState('')
  const [contacts, setContacts] = useState<readonly Named[]>([])
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const ids = contact ? [contact] : contacts.map(({ id }) => id)
  const isReady = name.trim() !== '' && reason.trim() !== '' && (ids.length > 0 || from !== '' || to !== '')
  const submit = () => {
    const input = {
      name,
      reason,
      contacts: ids,
      from: from ? beginningOf(from) : null,
      to: to ? beginningOf(to, 1) : null,
    }
    return store.request(CreateHoldDocument, { input, key: key.current })
  }
  return (
    <RequestDialog
      title={words.hold.makeTitle}
      label={words.hold.make}
      icon="alert"
      tone="primary"
      isReady={isReady}
      submit={submit}
      close={close}
    >
      <p>{contact ? words.hold.helpOfContact : words.hold.help}</p>
      <label class="field">
        <span>{admin.name}</span>
        <input
          class="in"
          dir="auto"
          maxLength={100}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>{words.reason}</span>
        <textarea
          class="in"
          dir="auto"
          rows={2}
          maxLength={1_000}
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </label>
      {!contact && (
        <>
          <ContactChoice chosen={contacts} choose={setContacts} />
          <fieldset class="field checks">
            <legend>{words.hold.span}</legend>
            <div class="line">
              <DayField label={words.hold.from} value={from} set={setFrom} grows />
              <DayField label={words.hold.to} value={to} set={setTo} grows />
            </div>
          </fieldset>
        </>
      )}
    </RequestDialog>
  )
}

interface ContactChoiceProps {
  chosen: readonly Named[]
  choose(chosen: readonly Named[]): void
}

/** Looks for contacts by what is typed, and lists those that are chosen. */
function ContactChoice({ chosen, choose }: ContactChoiceProps) {
  const store = useStore()
  const [text, setText] = useState('')
  const [found, setFound] = useState<readonly Named[]>([])
  useEffect(() => {
    let isLate = false
    const show = (all: readonly Named[]): void => {
      if (!isLate) setFound(all)
    }
    if (text.trim() === '') show([])
    else
      store.request(ContactsToHoldDocument, { text }).then(
        ({ search }) =>
          show(search.edges.flatMap(({ node }) => (node.__typename === 'Contact' ? [namedOf(node)] : []))),
        () => show([]),
      )
    return () => void (isLate = true)
  }, [text])
  const add = (contact: Named): void => {
    choose([...chosen, contact])
    setText('')
  }
  const isChosen = ({ id }: Named): boolean => chosen.some((each) => each.id === id)
  return (
    <>
      <label class="field">
        <span>{words.hold.contacts}</span>
        <input
          class="in"
          type="search"
          dir="auto"
          placeholder={words.hold.search}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {found.length > 0 && (
        <ul class="box hits" role="list" aria-label={words.hold.found}>
          {found
            .filter((each) => !isChosen(each))
            .map((each) => (
              <li key={each.id} class="hit">
                <button type="button" class="btn ghost" onClick={() => add(each)}>
                  <bdi>{each.name}</bdi>
                </button>
              </li>
            ))}
        </ul>
      )}
      {chosen.length > 0 && (
        <ul class="line" role="list" aria-label={words.hold.chosen}>
          {chosen.map((each) => (
            <li key={each.id} class="tag">
              <bdi>{each.name}</bdi>
              <button
                type="button"
                class="btn ghost small"
                aria-label={`${admin.remove}: ${each.name}`}
                onClick={() => choose(chosen.filter(({ id }) => id !== each.id))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function namedOf({ id, profile: { name, email, telephone } }: Found): Named {
  return { id, name: [name, email ?? telephone].filter(Boolean).join(' · ') || t().list.anonymous }
}
