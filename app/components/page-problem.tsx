import { isRouteErrorResponse, useRouteError, useRouteLoaderData } from '@remix-run/react'
import { type ReactNode, useEffect } from 'react'
import { Banner } from './banner'
import { Failed, type FailureNotice, TryAgain } from './failed'
import { PageTitle } from './page-title'
import { PlainPage } from './plain-page'
import { SupportLine } from './support-line'
import { TO_LOGIN_MS } from './to-login'
import { useRoot } from './use-root'

type Said = {
	message?: string
	/** The message is the broker's. `ours` is what is known beside it when a record is missing. */
	isSaid?: boolean
	ours?: string
	reference?: string
	at?: string
	isMaintenance?: boolean
	isMissing?: boolean
	isExpired?: boolean
	location?: string
}

type Link = { href: string; label: string }

type Props = {
	title?: string
	part?: string
	/** What could not be loaded or found, as the subject of a sentence. For a page with one call and no action. */
	what?: string
	/** The list that the page belongs to. */
	back?: Link
	/** Where the client can go on when the record does not exist, in place of that list. */
	ways?: readonly Link[]
	error?: unknown
	/** What the client can still do when the page failed. */
	children?: ReactNode
}

/** What an ErrorBoundary draws. With a title it replaces a page inside the shell; without one it is a page without the shell. */
export function PageProblem({ title, part, what, back, ways, error, children }: Props) {
	const thrown = useRouteError()
	const said = saidBy(error ?? thrown)
	const isInShell = useRouteLoaderData('routes/shell') !== undefined && title !== undefined
	const problem = findProblem(error ?? thrown, { what, back, ways, isInShell })
	const heading = nameProblem(error ?? thrown, isInShell ? title : undefined)
	if (said.isExpired && said.location) return <Ended heading={heading} message={said.message} to={said.location} />
	if (!isInShell) return <PlainPage title={heading}>{problem.body}</PlainPage>
	return (
		<>
			<PageTitle title={heading} part={problem.isPageOnly ? part : undefined} back={problem.isOurs ? back : undefined} />
			{problem.isMaintenance ? (
				<div className="space-y-4">{problem.body}</div>
			) : problem.isOurs ? (
				problem.body
			) : (
				<Banner>{problem.body}</Banner>
			)}
			{problem.isOurs && children}
		</>
	)
}

/** The h1 of an error page, which is also in the document's title. `page` is the title of a page that failed inside the shell. */
export function nameProblem(error: unknown, page?: string): string {
	const { isExpired, location } = saidBy(error)
	if (isExpired && location) return 'You are logged out'
	const { title, isPageOnly } = findProblem(error)
	return (isPageOnly && page) || title
}

type Problem = { title: string; body: ReactNode; isOurs?: boolean; isPageOnly?: boolean; isMaintenance?: boolean }

type Page = Pick<Props, 'what' | 'back' | 'ways'> & { isInShell?: boolean }

function findProblem(error: unknown, { what, back, ways, isInShell }: Page = {}): Problem {
	const status = isRouteErrorResponse(error) ? error.status : 500
	const said = saidBy(error)
	if (said.isMaintenance) {
		const body = (
			<>
				{said.isSaid && <p>{said.message}</p>}
				<p>We are working on the portal. Your money and your shares are safe. Please come back in a few minutes.</p>
				<p>If you have just sent a form, see first whether it was recorded before you send it again.</p>
				<p>
					<TryAgain />
				</p>
				<SupportLine />
			</>
		)
		return { title: 'Under maintenance', body, isMaintenance: true }
	}
	if (status === 404) {
		// The address is valid, but what it names does not exist.
		return {
			title: said.isMissing ? 'Not found' : 'Page not found',
			body: <Missing {...said} what={what} back={back} ways={ways} />,
			isPageOnly: said.isMissing,
		}
	}
	if (status < 500) {
		const body = (
			<>
				<p>{said.message ?? 'This could not be done. Go back, reload the page and try again.'}</p>
				<p>
					<a href="/dashboard">Go to Dashboard</a>
				</p>
				<SupportLine reference={said.reference} />
			</>
		)
		return { title: status === 403 ? 'Not allowed' : 'There is a problem', body }
	}
	const message = said.message ?? 'Something went wrong on our side. You did not cause it, and we have recorded it.'
	// The footer of the shell has the contacts.
	const body = isInShell ? (
		<FailedVisit what={said.message && what} failure={{ ...said, message }} />
	) : (
		<>
			<Failed what={said.message && what} failure={{ message, at: said.at }} isPage />
			<SupportLine reference={said.reference} />
		</>
	)
	return { title: 'Something went wrong', body, isOurs: true, isPageOnly: true }
}

/** The same box as that of a report which kept its heading; its reference is that of the visit. */
function FailedVisit({ what, failure }: { what?: string; failure: Partial<FailureNotice> }) {
	const { reference } = useRoot()
	return <Failed what={what} failure={{ ...failure, reference: failure.reference ?? reference }} isPage />
}

const HOME = { href: '/dashboard', label: 'Go to Dashboard' }
const WAYS_ON = [
	HOME,
	{ href: '/reports/holding', label: 'Holding' },
	{ href: '/reports/ledger', label: 'Ledger' },
	{ href: '/funds', label: 'Funds' },
]

/** Nothing is at the address, or the thing that it names does not exist. */
function Missing({ message, isSaid, ours, reference, isMissing, what, back, ways = back && [back] }: Said & Omit<Page, 'isInShell'>) {
	const links = isMissing || ways ? [...(ways ?? []), HOME] : WAYS_ON
	const lead = isSaid && (ours ?? (what && `${what} cannot be shown.`))
	return (
		<>
			{lead && <p>{lead}</p>}
			<p className={lead ? 'text-muted text-sm' : undefined}>
				{message && message !== 'Page not found' ? (
					message
				) : (
					<>
						<b className="block">There is no page at this address.</b> It may be mistyped, or the page may have moved.
					</>
				)}
			</p>
			<ul className="my-4 flex flex-wrap items-center gap-x-6 gap-y-2 *:first:basis-full">
				{links.map(({ href, label }, at) => (
					<li key={href}>
						<a href={href} className={at === 0 ? 'btn btn-primary' : 'inline-block py-2 whitespace-nowrap'}>
							{label}
						</a>
					</li>
				))}
			</ul>
			{/* A thing that does not exist is no fault, and the footer has the contacts. */}
			{!isMissing && <SupportLine reference={reference} />}
		</>
	)
}

/** The broker has ended the session. Shows the reason for two seconds, then opens the login page. */
function Ended({ heading, message, to }: { heading: string; message?: string; to: string }) {
	useEffect(() => {
		const clock = setTimeout(() => location.assign(to), TO_LOGIN_MS)
		return () => clearTimeout(clock)
	}, [to])
	return (
		<>
			<PageTitle title={heading} />
			<Banner kind="error">
				{message} <a href={to}>Log in now</a>
			</Banner>
		</>
	)
}

/**
 * Returns what a response thrown by the portal says, as JSON or a sentence. Returns {} for other errors: the client must not read them.
 */
function saidBy(error: unknown): Said {
	if (!isRouteErrorResponse(error)) return {}
	const said: unknown = error.data
	if (typeof said === 'string') return { message: said.length > 0 && said.length < 300 ? said : undefined }
	return typeof said === 'object' && said !== null ? said : {}
}
