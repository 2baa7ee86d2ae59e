import type { FormValues } from './validate-form-values.js'

/** A form in a conversation (2.8): a topic form belongs to a category, a static form to none. */
export interface ActiveForm {
  form: string
  name: string
  category: string | null
  categoryIndex: number | null
  /** By the fields' keys. */
  values: FormValues
  /** Time at which it was last filled in completely; null while a required field has no value. ISO 8601. */
  completedAt: string | null
}

/** A completed form that was submitted (2.8; 4.8, `/send`). */
export interface FormResult extends ActiveForm {
  completedAt: string
}
