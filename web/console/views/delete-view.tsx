import { useStore } from '../store/console-store.js'
import { RequestDialog } from '../request-dialog.js'
import { saveFault } from './save-fault.js'
import { savedViewsOf, type SavedView } from './saved-views.js'
import { saved } from './saved-words.js'

/** Asks for confirmation: a shared view goes from everybody who has it. */
export function DeleteView({ view, close }: { view: SavedView; close(isDone: boolean): void }) {
  const store = useStore()
  const isShared = view.ownerId === null
  const remove = async (): Promise<void> => {
    try {
      await savedViewsOf(store).remove(view.id)
    } catch (error) {
      throw new Error(saveFault(error as Error, isShared), { cause: error })
    }
  }
  return (
    <RequestDialog title={saved.remove} icon="trash" tone="danger" submit={remove} close={close}>
      <p>{isShared ? saved.removeSharedAsk(view.name) : saved.removeAsk(view.name)}</p>
    </RequestDialog>
  )
}
