import type { Signal } from '@preact/signals'
import type { Uploads } from './use-upload.js'

/** Files that are dropped on the composer or pasted into it are uploaded; text is the browser's to insert. */
export function dropsOf(uploads: Uploads, isOver: Signal<boolean>) {
  return {
    onPaste: (event: ClipboardEvent): void => {
      const files = event.clipboardData?.files
      if (!files || files.length === 0) return
      event.preventDefault()
      uploads.add(files)
    },
    onDragOver: (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      isOver.value = true
    },
    onDragLeave: (): void => void (isOver.value = false),
    onDrop: (event: DragEvent): void => {
      isOver.value = false
      const files = event.dataTransfer?.files
      if (!files || files.length === 0) return
      event.preventDefault()
      uploads.add(files)
    },
  }
}
