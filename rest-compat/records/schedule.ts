import { object, reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'

export const holidayCalendarRecord: RecordSpec = {
  type: 'HolidayCalendar',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    name: value(),
    days: object(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}

export const scheduleRecord: RecordSpec = {
  type: 'Schedule',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    name: value(),
    version: serverMade(),
    timezone: value(),
    spans: object(),
    exceptions: object(),
    calendars: reference(() => holidayCalendarRecord, { id: 'calendarIds', object: 'calendars' }),
    text: value(),
    isOpen: serverMade(),
    changesAt: serverMade(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization', 'calendars'],
}

export const clockRecord: RecordSpec = {
  type: 'SlaClock',
  fields: {
    clock: serverMade(),
    state: serverMade(),
    startedAt: serverMade(),
    dueAt: serverMade(),
    warnedAt: serverMade(),
    breachedAt: serverMade(),
    endedAt: serverMade(),
    usedSeconds: serverMade(),
    policyId: serverMade(),
    policyVersion: serverMade(),
    scheduleVersion: serverMade(),
  },
  populate: [],
}

export const slaPolicyRecord: RecordSpec = {
  type: 'SlaPolicy',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    name: value(),
    version: serverMade(),
    position: value(),
    conditions: object(),
    schedule: reference(() => scheduleRecord, { object: 'schedule' }),
    targets: object(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization', 'schedule'],
}
