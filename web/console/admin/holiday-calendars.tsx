import { useState } from 'preact/hooks'
import {
  CreateHolidayCalendarDocument,
  DeleteHolidayCalendarDocument,
  UpdateHolidayCalendarDocument,
  type AdminHolidayCalendarsQuery,
} from '../../generated/hours.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { FormDialog, linesOf, type Values } from './form-dialog.js'
import { exceptionsText, readExceptions } from './hours-text.js'
import { EditButton, More, Table } from './section.js'
import type { Organizations } from './use-organizations.js'
import type { Pages } from './use-pages.js'
import { words } from './words.js'

export type HolidayCalendar = AdminHolidayCalendarsQuery['holidayCalendars']['edges'][number]['node']

interface HolidayCalendarsProps {
  pages: Pages<AdminHolidayCalendarsQuery, HolidayCalendar>
  organizations: Organizations
  /** Called when days changed: schedules may be open or closed now. */
  changed(): void
}

/** Holidays that several schedules share. */
export function HolidayCalendars({ pages, organizations, changed }: HolidayCalendarsProps) {
  const store = useStore()
  const [edited, edit] = useState<HolidayCalendar | 'new' | null>(null)
  const own = words.hours
  const present = edited === 'new' ? null : edited
  const save = async (values: Values): Promise<void> => {
    const fields = { name: values.name as string, days: readExceptions(linesOf(values.days)) }
    const organization = (values.organization as string) || null
    if (present) await store.request(UpdateHolidayCalendarDocument, { id: present.id, patch: fields })
    else await store.request(CreateHolidayCalendarDocument, { input: { ...fields, organization } })
    pages.refresh()
    changed()
  }
  const remove = async (id: string): Promise<void> => {
    await store.request(DeleteHolidayCalendarDocument, { id })
    pages.refresh()
  }
  return (
    <section class="stack">
      <div class="line">
        <h2>{own.calendars}</h2>
        <button class="btn small push" onClick={() => edit('new')}>
          <Icon name="plus" size="s" />
          {own.addCalendar}
        </button>
      </div>
      <p class="mid">{own.calendarsHelp}</p>
      {pages.rows.length > 0 && (
        <Table label={own.calendars} heads={[words.name, own.exceptions, words.organization, '']}>
          {pages.rows.map((calendar) => (
            <tr key={calendar.id}>
              <th scope="row">
                <bdi>{calendar.name}</bdi>
              </th>
              <td>{calendar.days.length}</td>
              <td>
                <bdi>{organizations.nameOf(calendar.organizationId)}</bdi>
              </td>
              <EditButton name={calendar.name} run={() => edit(calendar)} />
            </tr>
          ))}
        </Table>
      )}
      <More more={pages.more} />
      {edited && (
        <FormDialog
          key={present?.id ?? 'new'}
          record={present?.id}
          title={present?.name ?? own.addCalendarTitle}
          close={() => edit(null)}
          save={save}
          remove={present ? { ask: words.removeAsk(present.name), run: () => remove(present.id) } : undefined}
          fields={[
            { name: 'name', label: words.name, value: present?.name ?? '', isRequired: true },
            {
              name: 'days',
              label: own.exceptions,
              help: own.exceptionsHelp,
              kind: 'lines',
              value: present ? exceptionsText(present.days) : '',
            },
            ...(present ? [] : [organizations.field]),
          ]}
        />
      )}
    </section>
  )
}
