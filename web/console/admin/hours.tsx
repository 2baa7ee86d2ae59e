import { useState } from 'preact/hooks'
import {
  AdminHolidayCalendarsDocument,
  AdminSchedulesDocument,
  CreateScheduleDocument,
  DeleteScheduleDocument,
  UpdateScheduleDocument,
  type AdminSchedulesQuery,
} from '../../generated/hours.js'
import { useStore } from '../store/console-store.js'
import { FormDialog, linesOf, type Values } from './form-dialog.js'
import { HolidayCalendars } from './holiday-calendars.js'
import { exceptionsText, readExceptions, readSpans, spansText } from './hours-text.js'
import { ScheduleYear } from './schedule-year.js'
import { EditButton, More, Section, Table } from './section.js'
import { SlaPolicies } from './sla-policies.js'
import { useOrganizations } from './use-organizations.js'
import { usePages } from './use-pages.js'
import { words } from './words.js'

type Schedule = AdminSchedulesQuery['schedules']['edges'][number]['node']

/** Opening hours of an organization, and how soon its consumers are to be served. */
export function Hours() {
  const store = useStore()
  const schedules = usePages(AdminSchedulesDocument, ({ schedules }) => schedules, 'schedule')
  const calendars = usePages(
    AdminHolidayCalendarsDocument,
    ({ holidayCalendars }) => holidayCalendars,
    'holidayCalendar',
  )
  const organizations = useOrganizations()
  const [edited, edit] = useState<Schedule | 'new' | null>(null)
  const own = words.hours
  const present = edited === 'new' ? null : edited
  const save = async (values: Values): Promise<void> => {
    const fields = {
      name: values.name as string,
      timezone: values.timezone as string,
      spans: readSpans(linesOf(values.spans)),
      exceptions: readExceptions(linesOf(values.exceptions)),
      calendars: values.calendars as string[],
      text: (values.text as string) || null,
    }
    const organization = (values.organization as string) || null
    if (present)
      await store.request(UpdateScheduleDocument, { id: present.id, patch: { ...fields, ifVersion: present.version } })
    else await store.request(CreateScheduleDocument, { input: { ...fields, organization } })
    schedules.refresh()
  }
  const remove = async (id: string): Promise<void> => {
    await store.request(DeleteScheduleDocument, { id })
    schedules.refresh()
  }
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Section
      title={words.sections.hours}
      lead={own.help}
      answer={schedules}
      action={{ label: own.add, run: () => edit('new') }}
    >
      {schedules.rows.length === 0 && <p class="mid">{own.none}</p>}
      {schedules.rows.length > 0 && (
        <Table label={own.schedules} heads={[words.name, own.timezone, own.now, words.organization, '']}>
          {schedules.rows.map((each) => (
            <tr key={each.id}>
              <th scope="row">
                <bdi>{each.name}</bdi>
              </th>
              <td>{each.timezone}</td>
              <td>{each.isOpen ? own.open : own.closed}</td>
              <td>
                <bdi>{organizations.nameOf(each.organizationId)}</bdi>
              </td>
              <EditButton name={each.name} run={() => edit(each)} />
            </tr>
          ))}
        </Table>
      )}
      <More more={schedules.more} />
      <HolidayCalendars pages={calendars} organizations={organizations} changed={schedules.refresh} />
      <SlaPolicies schedules={schedules.rows} />
      {edited && (
        <FormDialog
          key={present?.id ?? 'new'}
          record={present?.id}
          title={present?.name ?? own.addTitle}
          close={() => edit(null)}
          save={save}
          remove={present ? { ask: words.removeAsk(present.name), run: () => remove(present.id) } : undefined}
          fields={[
            { name: 'name', label: words.name, value: present?.name ?? '', isRequired: true },
            { name: 'timezone', label: own.timezone, value: present?.timezone ?? zone, isRequired: true },
            {
              name: 'spans',
              label: own.spans,
              help: own.spansHelp,
              kind: 'lines',
              value: present ? spansText(present.spans) : 'MON-FRI 09:00-17:00',
            },
            {
              name: 'exceptions',
              label: own.exceptions,
              help: own.exceptionsHelp,
              kind: 'lines',
              value: present ? exceptionsText(present.exceptions) : '',
            },
            {
              name: 'calendars',
              label: own.calendars,
              kind: 'checks',
              value: present?.calendarIds ?? [],
              options: calendars.rows.map(({ id, name }) => [id, name] as const),
              more: calendars.more,
            },
            { name: 'text', label: own.text, help: own.textHelp, kind: 'lines', value: present?.text ?? '' },
            ...(present ? [] : [organizations.field]),
          ]}
        >
          {present && <ScheduleYear id={present.id} />}
        </FormDialog>
      )}
    </Section>
  )
}
