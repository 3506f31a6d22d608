import { useActionData } from '@remix-run/react'
import { createContext, useContext } from 'react'
import { Banner } from './banner'
import { useAddress } from './use-address'

/** `at`: when it failed, such as `11:00 on 20/11/2026`, in India. */
export type FailureNotice = { message: string; reference?: string; at?: string }

/** The reasons that a box above the parts of a page already shows. */
export const SaidAbove = createContext<readonly string[]>([])

type Props = {
	/** The subject of a sentence. Left out when only the reason is known. */
	what?: string
	failure?: Partial<FailureNotice>
	/** It replaces the content of the page, so it is announced. */
	isPage?: boolean
	/** Lines without a frame, for a part that keeps its height. */
	isPlain?: boolean
}

/**
 * The box of everything that could not be loaded: what, why, and a link that loads the same address again, with the time and the reference
 * for support. One line when a box above already shows the reason.
 */
export function Failed({ what, failure = {}, isPage, isPlain }: Props) {
	const { message, reference, at } = failure
	const isSaidAbove = useContext(SaidAbove).includes(message ?? '')
	const failed = what && `${what} could not be loaded.`
	const when = (
		<>
			{at && <span className="max-sm:block">Failed at {at}&nbsp;(IST)</span>}
			{reference && (
				<span className="max-sm:block sm:whitespace-nowrap">
					{at && <span className="max-sm:hidden"> · </span>}Reference <span className="whitespace-nowrap select-all">{reference}</span>
				</span>
			)}
		</>
	)
	if (isPlain || isSaidAbove)
		return (
			<div className={isPlain ? 'text-xs' : 'text-muted py-2 text-sm not-last:mb-4'}>
				<p>
					{failed} {!isSaidAbove && message} <TryAgain what={what} isLink />
				</p>
				{!isSaidAbove && <p className="text-muted">{when}</p>}
			</div>
		)
	return (
		<Banner kind="error" role={isPage ? 'alert' : 'note'}>
			<p>
				<b>{failed ?? message}</b>
			</p>
			{failed && message && <p>{message}</p>}
			<p className="flex flex-wrap items-center gap-x-3 gap-y-2 pt-1">
				<TryAgain what={isPage ? undefined : what} />
				<span className="text-xs max-sm:basis-full">{when}</span>
			</p>
		</Banner>
	)
}

/** For a page that shows nothing: only to look has changed nothing. After a post that is not known, so it says nothing. */
export function NothingMoved({ what = 'Your money is', still }: { what?: string; still?: string }) {
	return useActionData() ? null : (
		<p className="prose">
			{what} not affected. {still}
		</p>
	)
}

/** Loads the same address again. Where several stand on a page, `what` tells a screen reader which one this is. */
export function TryAgain({ what, isLink }: { what?: string; isLink?: boolean }) {
	const { address } = useAddress()
	return (
		<a href={address} className={isLink ? 'whitespace-nowrap' : 'btn bg-base-100 px-3 text-sm'}>
			Try again{what && <span className="sr-only">: {what}</span>}
		</a>
	)
}
