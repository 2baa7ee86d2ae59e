import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { createChannel, updateChannel } from '../channels/channel-writes.js'
import { deleteChannel } from '../channels/delete-channel.js'
import {
  createHolidayCalendar,
  deleteHolidayCalendar,
  updateHolidayCalendar,
} from '../schedules/holiday-calendar-writes.js'
import { createSchedule, deleteSchedule, updateSchedule } from '../schedules/schedule-writes.js'
import { createSlaPolicy, deleteSlaPolicy, updateSlaPolicy } from '../sla/sla-policy-writes.js'
import { createSkill, deleteSkill, updateSkill } from '../staffing/skill-writes.js'
import { createWorkflow, deleteWorkflow, updateWorkflow } from '../workflows/workflow-writes.js'
import type { Section } from './sections.js'

export interface WriteOptions {
  transact: Transact
  onAccessChange: (users: string[]) => void
}

/** The values of a record, which the mutation parses. */
export type Values = Record<string, unknown>

interface Change<Patch> {
  id: string
  patch: Patch
  /** For the history of a workflow. */
  comment: string | null
}

/** The mutations that make, change and remove one record. */
interface Mutations {
  /** @param comment for the history of a workflow */
  create(ctx: Context, options: WriteOptions, input: Values, comment: string | null): Promise<{ id: string }>
  update(ctx: Context, options: WriteOptions, change: Change<Values>): Promise<unknown>
  remove(ctx: Context, options: WriteOptions, id: string): Promise<unknown>
}

/** @param pick what these mutations take of the options */
function mutations<Options, Input, Patch>(
  pick: (options: WriteOptions) => Options,
  create: (ctx: Context, options: Options, input: Input, comment: string | null) => Promise<{ id: string }>,
  update: (ctx: Context, options: Options, change: Change<Patch>) => Promise<unknown>,
  remove: (ctx: Context, options: Options, id: string) => Promise<unknown>,
): Mutations {
  return {
    create: (ctx, options, input, comment) => create(ctx, pick(options), input as Input, comment),
    update: (ctx, options, change) => update(ctx, pick(options), change as Change<Patch>),
    remove: (ctx, options, id) => remove(ctx, pick(options), id),
  }
}

const transactOf = ({ transact }: WriteOptions): Transact => transact
const all = (options: WriteOptions): WriteOptions => options

export const MUTATIONS: Readonly<Record<Section, Mutations>> = {
  skills: mutations(transactOf, createSkill, updateSkill, deleteSkill),
  holidayCalendars: mutations(transactOf, createHolidayCalendar, updateHolidayCalendar, deleteHolidayCalendar),
  schedules: mutations(transactOf, createSchedule, updateSchedule, deleteSchedule),
  channels: mutations(all, createChannel, updateChannel, deleteChannel),
  slaPolicies: mutations(transactOf, createSlaPolicy, updateSlaPolicy, deleteSlaPolicy),
  workflows: mutations(transactOf, createWorkflow, updateWorkflow, deleteWorkflow),
}
