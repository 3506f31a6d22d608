import { Status } from '~/components/status'

/** Shows the total of the shares as they are typed, and what is missing or too much. A share that cannot be read counts as 0. */
export function ShareTotal({ shares }: { shares: readonly { value?: string; initialValue?: unknown }[] }) {
	// Hundredths of a per cent.
	const total = shares.reduce((sum, { value, initialValue }) => sum + (Math.round(Number(value ?? initialValue) * 100) || 0), 0)
	// A single nominee who gets everything needs no sum.
	if (total === 0 || (shares.length === 1 && total === WHOLE)) return null
	const words = `Total ${percent(total)}`
	const rest = total < WHOLE ? `${percent(WHOLE - total)} is still to be shared out` : `${percent(total - WHOLE)} too much`
	return (
		<output className="block">
			<Status kind={total === WHOLE ? 'done' : 'todo'} words={total === WHOLE ? words : `${words}: ${rest}`} />
		</output>
	)
}

const WHOLE = 100_00

const percent = (hundredths: number) => `${hundredths / 100} %`
