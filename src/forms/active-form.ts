import type { FormValues } from './validate-form-values.js'

/** A form in a conversation (2.8): a topic form stands under its category, a static form under none. */
export interface ActiveForm {
  form: string
  name: string
  category: string | null
  categoryIndex: number | null
  /** By the fields' keys. */
  values: FormValues
  /** When it was last filled in so that no required field lacks a value; null while one does. ISO 8601. */
  completedAt: string | null
}

/** A completed form that was sent (2.8; 4.8, `/send`). */
export interface FormResult extends ActiveForm {
  completedAt: string
}
