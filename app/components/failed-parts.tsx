import { type ReactNode } from 'react'
import { Failed, type FailureNotice, SaidAbove } from './failed'

/** `what` is the subject of a sentence, the same as in the part's own message. */
export type FailedPart = { what: string; failure?: FailureNotice }

type Props = {
	parts: readonly FailedPart[]
	children: ReactNode
} & (Whole | { what?: undefined; rest?: undefined })

/** For a page on which all parts can fail for one reason. Without it each part shows that it failed. */
type Whole = {
	/** What the page shows, as the subject of a sentence. */
	what: string
	/** Replaces the parts when all of them failed for one reason: what the client can still do. */
	rest: ReactNode
}

/**
 * Wraps the parts of a page, and shows a shared reason once above them, with their names. When all parts failed and there is a `what`, the
 * reason is that of the page.
 */
export function FailedParts({ parts, what, rest, children }: Props) {
	const shared = groupFailures(parts)
	const isAll = what !== undefined && shared.some(({ names }) => names.length === parts.length)
	return (
		<>
			{shared.map(({ names, ...failure }) => (
				<Failed key={failure.message} what={isAll ? what : joinNames(names)} failure={failure} isPage />
			))}
			<SaidAbove.Provider value={shared.map(({ message }) => message)}>{isAll ? rest : children}</SaidAbove.Provider>
		</>
	)
}

function groupFailures(parts: readonly FailedPart[]) {
	const failed = parts.flatMap(({ what, failure }) => (failure ? [{ ...failure, what }] : []))
	const messages = new Set(failed.map(({ message }) => message))
	return [...messages].flatMap((message) => {
		const same = failed.filter((each) => each.message === message)
		const [first] = same
		return first && same.length > 1 ? [{ ...first, names: same.map(({ what }) => what) }] : []
	})
}

/** Returns the names as a list in words: `Ledger, Notices and your bank accounts`. */
function joinNames(names: readonly string[]): string {
	const inside = names.map((name, at) => (at > 0 ? name.replace(/^(The|What|Whether|Your) /, (word) => word.toLowerCase()) : name))
	return `${inside.slice(0, -1).join(', ')} and ${inside.at(-1)}`
}
