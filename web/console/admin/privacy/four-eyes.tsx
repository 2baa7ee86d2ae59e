import { useState } from 'preact/hooks'
import { AdminFourEyesDocument, SetFourEyesDocument, type AdminFourEyesQuery } from '../../../generated/four-eyes.js'
import { t } from '../../../shared/i18n/messages.js'
import { Icon } from '../../../shared/ui/icon.js'
import { RequestDialog } from '../../request-dialog.js'
import { useStore } from '../../store/console-store.js'
import { Table } from '../section.js'
import { useQuery } from '../use-query.js'
import { words as admin } from '../words.js'
import { orProposed } from './proposed.js'
import { words } from './words.js'

type Settings = AdminFourEyesQuery['fourEyes']

const AREAS = ['erasure', 'hold', 'retention', 'signIn'] as const

/** The areas in which a change waits for a second administrator. */
export function FourEyes() {
  const store = useStore()
  const { data, refresh } = useQuery(AdminFourEyesDocument, {}, 'fourEyes')
  const [isChanging, change] = useState(false)
  const own = words.fourEyes
  if (!data) return null
  const settings = data.fourEyes
  const closed = (isDone: boolean): void => {
    change(false)
    if (isDone) refresh()
  }
  const isOfCenter = store.organization.me.value?.organizationId === settings.organizationId
  const isOn = AREAS.some((area) => settings[area])
  return (
    <>
      <Table
        label={own.title}
        action={
          isOfCenter ? (
            <button class="btn push" aria-label={`${admin.edit}: ${own.title}`} onClick={() => change(true)}>
              {admin.edit}
            </button>
          ) : null
        }
        heads={[own.area, words.state]}
      >
        {AREAS.map((area) => (
          <tr key={area}>
            <th scope="row">{own.areas[area]}</th>
            <td>
              <span class={settings[area] ? 'tag good' : 'tag'}>{settings[area] ? own.two : own.one}</span>
            </td>
          </tr>
        ))}
      </Table>
      {isOn && settings.approvers === 0 && (
        <p class="band warn" role="alert">
          <Icon name="alert" />
          {own.nobody}
        </p>
      )}
      {isChanging && <SettingsDialog present={settings} close={closed} />}
    </>
  )
}

function SettingsDialog({ present, close }: { present: Settings; close(isDone: boolean): void }) {
  const store = useStore()
  const [chosen, choose] = useState({
    erasure: present.erasure,
    hold: present.hold,
    retention: present.retention,
    signIn: present.signIn,
  })
  const own = words.fourEyes
  const isLess = AREAS.some((area) => present[area] && !chosen[area])
  const input = { ...chosen, ifVersion: present.version }
  return (
    <RequestDialog
      title={own.title}
      label={t().save}
      icon="alert"
      tone="primary"
      submit={() => orProposed(store.request(SetFourEyesDocument, { input }))}
      close={close}
    >
      <p>{own.help}</p>
      <fieldset class="field checks">
        <legend>{own.area}</legend>
        {AREAS.map((area) => (
          <label key={area} class="check">
            <input
              type="checkbox"
              checked={chosen[area]}
              onChange={(event) => choose({ ...chosen, [area]: event.currentTarget.checked })}
            />
            {own.areas[area]}
          </label>
        ))}
      </fieldset>
      {isLess && <p class="hint">{own.less}</p>}
    </RequestDialog>
  )
}
