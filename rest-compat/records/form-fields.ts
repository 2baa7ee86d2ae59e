import { object, reference, value, type FieldSpecs } from '../record.js'
import { formRecord } from './form.js'

/** Fields of a filled-in form besides its name and values. */
export const ownFormFields: FieldSpecs = {
  form: reference(() => formRecord, { object: 'form' }),
  category: value({ nulls: true }),
  categoryIndex: value({ nulls: true }),
  completedAt: value({ nulls: true }),
}

/** A form in a conversation, or one that was submitted (2.8). */
export const formFields: FieldSpecs = { name: value(), values: object(), ...ownFormFields }
