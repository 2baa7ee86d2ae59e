import { value, type FieldSpecs } from '../record.js'

/** What a filled-in form has besides its name and values. */
export const ownFormFields: FieldSpecs = {
  form: value({ from: 'formId' }),
  category: value({ nulls: true }),
  categoryIndex: value({ nulls: true }),
  completedAt: value({ nulls: true }),
}

/** A form in a conversation, or one that was submitted (2.8). */
export const formFields: FieldSpecs = { name: value(), values: value(), ...ownFormFields }
