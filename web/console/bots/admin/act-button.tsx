import { useEffect, useState } from 'preact/hooks'
import { ErrorHint } from '../../../shared/ui/error-hint.js'
import { useHeld } from '../../use-held.js'

interface ActButtonProps {
  label: string
  /** Asked before it is done; none for what harms nobody. */
  ask?: string | undefined
  /** Id of the element that names what it is done to. */
  about?: string | undefined
  run(): Promise<unknown>
  done(): void
}

/** A button that does one thing at once, or with a second press; a refusal stands below it. */
export function ActButton({ label, ask, about, run, done }: ActButtonProps) {
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  // A colleague has done it meanwhile: the question is another.
  useEffect(() => setAsked(false), [ask])
  const said = ask && isAsked ? ask : label
  const isOff = useHeld(said) || isBusy
  const act = async (): Promise<void> => {
    if (isOff) return
    if (ask && !isAsked) return setAsked(true)
    setAsked(false)
    setBusy(true)
    setFault(null)
    try {
      await run()
      done()
    } catch (error) {
      setFault((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <button
        type="button"
        class={ask ? 'btn small danger' : 'btn small'}
        aria-disabled={isOff}
        aria-describedby={about}
        onClick={() => void act()}
        // A key that is held down presses once.
        onKeyDown={(event) => event.repeat && event.preventDefault()}
        onBlur={() => setAsked(false)}
      >
        {said}
      </button>
      <ErrorHint text={fault} />
    </>
  )
}
