import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { type DdpiDetails } from '#contract/depository'
import { unreadIn } from '#contract/tolerant'
import { formatDay } from '#contract/values/dates'
import { DDPI_CLAUSES } from '#contract/values/ddpi-clauses'
import { getDdpiDetails, requestDdpiEsign } from '~/broker/depository.server'
import { Banner } from '~/components/banner'
import { BOX } from '~/components/box'
import { DownloadLink } from '~/components/download-link'
import { NothingMoved } from '~/components/failed'
import { FailedPage } from '~/components/failed-page'
import { ErrorSummary, SubmitButton } from '~/components/form'
import { KeyFigures } from '~/components/key-figures'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { Unbroken } from '~/components/unbroken'
import { redirectToSign, UNAPPROVED } from '~/forms/esign-confirm.server'
import { openForm, unanswered, replyWith } from '~/forms/form.server'
import { loadPart } from '~/http/partial-data.server'
import { DASH, nameCode, orDash } from '~/lib/unknown'
import { tellUnread } from '~/reports/unread.server'
import { useRoot } from '~/components/use-root'
import { audit } from '~/session/audit.server'
import { requireBroker } from '~/session/session.server'
import { isUnsigned } from '~/lib/ddpi'

export const handle = { title: 'DP Process' }
const STATUS: Record<DdpiDetails['ddpi_status'], string> = {
	NOT_SIGNED: 'Not signed',
	PENDING: 'Awaiting your e-sign',
	ACTIVE: 'Active',
}

/** What a clause of the specification allows, in plain words. A broker's own clause stands alone: what it allows is not known. */
const PLAIN: Readonly<Record<string, string>> = {
	[DDPI_CLAUSES.DELIVERY]: 'Deliver what you sell.',
	[DDPI_CLAUSES.PLEDGE]: 'Pledge for margin.',
	[DDPI_CLAUSES.FUNDS]: 'Mutual funds.',
	[DDPI_CLAUSES.OFFERS]: 'Open offers.',
}
const nameClause = (clause: string) => Object.hasOwn(PLAIN, clause) && <b>{PLAIN[clause]}</b>

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const { data: details, failure } = await loadPart(broker, getDdpiDetails(broker))
	if (!details) return data({ failure, details: undefined }, { status: failure.status })
	const { bo_id, client_name, ddpi_status, signed_on, clauses } = details
	const shown = {
		isPending: ddpi_status === 'PENDING',
		clauses,
		canSign: isUnsigned(ddpi_status) && bo_id !== null,
		hasFile: bo_id !== null,
		unread: tellUnread(unreadIn(details)),
		account: bo_id ?? DASH,
		owner: client_name || DASH,
		state: [
			{ label: 'Status', text: nameCode(STATUS, ddpi_status) },
			// An active DDPI has a day, also when it could not be read.
			...(signed_on || ddpi_status === 'ACTIVE' ? [{ label: 'Signed on', text: orDash(signed_on, formatDay) }] : []),
		],
	}
	return data({ failure: undefined, details: shown })
}

/** Starts the e-sign and replaces one that is waiting. So there is only one to sign, however often the button is pressed. */
export async function action({ request }: ActionFunctionArgs) {
	const { form, broker } = await openForm(request)
	const submission = parseWithZod(form, { schema: z.object({}) })
	try {
		const response = await requestDdpiEsign(broker)
		audit('ddpi_asked', request, broker.clientCode)
		const title = 'Demat Debit and Pledge Instruction'
		const lines = [{ label: 'Purposes', value: 'Delivery of what you sell, margin pledge, mutual funds, open offers' }]
		const away = await redirectToSign(request, broker, { response, title, lines, back: '/dpprocess/ddpi' })
		if (away) return away
		return data({ result: replyWith(submission, { formErrors: [UNAPPROVED] }) }, { status: 502 })
	} catch (error) {
		return await unanswered(submission, error)
	}
}

export default function Ddpi() {
	const { details, failure } = useLoaderData<typeof loader>()
	const result = useActionData<typeof action>()?.result
	if (!details) {
		return (
			<FailedPage title="DP Process" part="DDPI" isTabName what="Your DDPI" failure={failure} errors={result?.error?.['']}>
				<NothingMoved what="Your shares are" />
			</FailedPage>
		)
	}
	const { isPending, canSign, hasFile, unread, account, owner, state, clauses } = details
	return (
		<>
			<PageTitle title="DP Process" part="DDPI" isTabName />
			<ErrorSummary form={{ errors: result?.error?.[''] ?? undefined }} />
			{unread && <Banner kind="warning">{unread}</Banner>}
			<section className={`${BOX} max-sm:border-0 max-sm:bg-transparent max-sm:p-0`} aria-label="Your DDPI">
				<KeyFigures figures={state} />
				{/* Where both do not fit on a line, the name stands below the number. */}
				<p className="text-muted -mt-2 mb-3 text-xs">
					Demat account {account}, <span className="inline-block">{owner}</span>
				</p>
				<Purpose />
				<Clauses clauses={clauses} />
				{isPending && (
					<p className="prose mt-4">
						<Unbroken text="You started an e-sign and did not finish it. Proceeding starts a new one; the earlier one can no longer be signed." />
					</p>
				)}
				{canSign && (
					<p className="mt-4 text-sm">
						<Unbroken text="Next you sign with Aadhaar at the e-sign provider; nothing is signed before that. Until the status is Active, each sale needs an OTP." />
					</p>
				)}
				<div className="actions mt-4">
					{canSign && (
						/* A full-page post, because the reply redirects to another site. */
						<PostForm reloadDocument className="max-sm:w-full">
							<SubmitButton>Proceed to e-sign</SubmitButton>
						</PostForm>
					)}
					{hasFile && <DownloadLink href="/downloads/ddpi" label="Download PDF" type="DDPI" flag="PDF" />}
				</div>
				{!hasFile && (
					<p className="prose">
						The broker does not give the number of your demat account now, so there is nothing to sign or to download here.
					</p>
				)}
			</section>
		</>
	)
}

/** What a client who signs allows the broker to do, and what not. */
function Clauses({ clauses }: { clauses: readonly string[] }) {
	return (
		<div className="grid items-start gap-x-8 gap-y-4 text-sm lg:grid-cols-2">
			<div>
				<h2 className="mb-2">What it allows</h2>
				{clauses.length > 0 ? (
					<ol className="list-decimal space-y-1 pl-5">
						{clauses.map((clause) => (
							<li key={clause}>
								{nameClause(clause)} {clause}
							</li>
						))}
					</ol>
				) : (
					<p>The broker does not list the purposes here. Read them in the PDF.</p>
				)}
			</div>
			<div>
				<h2 className="mb-2">What it does not allow</h2>
				<p>
					Nothing else: no transfer to another account, no sale or pledge that you have not ordered, no use of your shares for anybody
					else’s trades. Your money is not touched by it.
				</p>
			</div>
		</div>
	)
}

/** What a DDPI is for, and how it ends. */
function Purpose() {
	const mail = useRoot().brand.support.find(({ href }) => href.startsWith('mailto:'))
	return (
		<p className="prose max-sm:text-sm">
			A DDPI (Demat Debit and Pledge Instruction) lets the broker take the shares that you sell or pledge, without an OTP each time. It is
			optional, and you may withdraw it in writing at any time
			{mail && (
				<>
					: write to <a href={mail.href}>{mail.label}</a>
				</>
			)}
			.
		</p>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="DP Process" />
}
