import { createContext, type ReactNode, useContext } from 'react'
import { Banner } from './banner'
import { type FailureNotice } from './failed'
import { TryAgain } from './page-problem'

/** `what` is the subject of a sentence, the same as in the part's own message. */
export type FailedPart = { what: string; failure?: FailureNotice }

const SaidAbove = createContext<readonly string[]>([])

/** True when a banner above the parts already shows the reason of this failure and its reference. */
export function useIsSaidAbove(failure?: FailureNotice): boolean {
	return useContext(SaidAbove).includes(failure?.message ?? '')
}

type Props = {
	parts: readonly FailedPart[]
	/**
	 * Replaces the parts when all of them failed for one reason: what the client can still do. Without it each part shows that it
	 * failed.
	 */
	rest?: ReactNode
	children: ReactNode
}

/**
 * Wraps the parts of a page, and shows a shared reason once above them, with their names. When all parts failed and there is a `rest`, the
 * reason is that of the page.
 */
export function FailedParts({ parts, rest, children }: Props) {
	const shared = groupFailures(parts)
	const isAll = rest !== undefined && shared.some(({ names }) => names.length === parts.length)
	return (
		<SaidAbove.Provider value={shared.map(({ message }) => message)}>
			{shared.map(({ names, ...failure }) => (
				<FailureBanner key={failure.message} what={isAll ? 'This page' : joinNames(names)} isList={!isAll} failure={failure} />
			))}
			{isAll ? rest : children}
		</SaidAbove.Provider>
	)
}

/** A banner that says what failed, why and when, with a link to try again. A list of names is not bold, because it may be long. */
export function FailureBanner({ what, isList, failure }: { what: string; isList?: boolean; failure: FailureNotice }) {
	const { message, reference, at } = failure
	const failed = `${what} could not be loaded.`
	return (
		<Banner kind="error">
			<p>
				{isList ? failed : <b>{failed}</b>} {message}
			</p>
			<TryAgain reference={reference} at={at} />
		</Banner>
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
