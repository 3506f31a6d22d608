import { data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { type RekycDetails } from '#contract/auth'
import { formatDashedDay, formatDay } from '#contract/values/dates'
import { formatYear, selectableYears } from '#contract/values/financial-year'
import { getRekycDetails } from '~/broker/auth.server'
import { now, today } from '~/broker/clock.server'
import { Banner } from '~/components/banner'
import { DownloadLink } from '~/components/download-link'
import { Failed } from '~/components/failed'
import { SubmitButton } from '~/components/form'
import { PlainPage } from '~/components/plain-page'
import { PostForm } from '~/components/post-form'
import { settings } from '~/config/env.server'
import { allowedAddress } from '~/http/external-redirect.server'
import { loadPart } from '~/http/partial-data.server'
import { nameCode } from '~/lib/unknown'
import { requireDormant } from '~/session/session-check.server'
import { connectSession, getSession, touchHeaders } from '~/session/session.server'

export const handle = { title: 'Re-KYC required' }

const ITEMS: Record<RekycDetails['required'][number], string> = {
	PAN: 'Your PAN card',
	ADDRESS_PROOF: 'Proof of your address',
	BANK_PROOF: 'Proof of your bank account',
	INCOME_PROOF: 'Proof of your income',
	PHOTO: 'A photo of you',
	ESIGN: 'Your e-sign with Aadhaar',
}

/**
 * The result of a visit to the re-KYC site, by `status` in the address. Only the broker decides whether re-KYC is done, never the
 * address.
 */
const ENDED = new Map([
	['cancelled', { kind: 'info' as const, message: 'Re-KYC is not complete. You can continue at any time.' }],
	['failed', { kind: 'error' as const, message: 'Re-KYC failed. Nothing was changed; you can start it again.' }],
	['done', { kind: 'info' as const, message: 'Your re-KYC was received. Your account opens as soon as it has been checked.' }],
])

/** A public page that explains re-KYC. For a dormant client it gives the reason, and offers re-KYC, statements and logout. */
export async function loader({ request }: LoaderFunctionArgs) {
	const session = await getSession(request)
	if (!session) return { client: undefined }
	if (!session.isDormate) throw redirect('/dashboard')
	const broker = connectSession(request, session)
	const asked = loadPart(broker, getRekycDetails(broker))
	const [details, headers] = await Promise.all([asked, touchHeaders(request), requireDormant(request, session)])
	const client = {
		failure: details.isAbsent ? undefined : details.failure,
		reason: details.data?.reason,
		lastTraded: details.data && (details.data.last_traded_on ? formatDay(details.data.last_traded_on) : 'Never'),
		items: details.data?.required.map((item) => nameCode(ITEMS, item)) ?? [],
		href: settings.REKYC_URL ?? (details.data && allowedAddress(broker, details.data.rekyc_url)),
		ended: ENDED.get(new URL(request.url).searchParams.get('status') ?? ''),
		today: formatDashedDay(today()),
		years: selectableYears(now()).map(formatYear),
	}
	return data({ client }, { headers })
}

export default function Rekyc() {
	const { client } = useLoaderData<typeof loader>()
	return (
		<PlainPage title="Re-KYC required">
			{client?.ended && <Banner kind={client.ended.kind}>{client.ended.message}</Banner>}
			<p>
				{client ? 'Your account' : 'An account without a trade for 24 months'} is inactive until {client ? 'you confirm your' : 'its'}{' '}
				details
				{client ? ': until then you cannot trade, pay in or withdraw' : ' are confirmed'}. Your shares and your money are safe.
			</p>
			{client ? (
				<Steps {...client} />
			) : (
				<p>
					<a href="/login?redirectTo=%2Frekyc" className="btn btn-primary">
						Login
					</a>
				</p>
			)}
		</PlainPage>
	)
}

type Client = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['client']>

function Steps({ failure, reason, lastTraded, items, href, years, today: day }: Client) {
	return (
		<>
			{failure ? (
				<Failed what="Why re-KYC is needed" failure={failure} />
			) : (
				// A broker without this call gives no reason.
				reason !== undefined && (
					<>
						<dl>
							<dt className="text-muted text-xs">Why</dt>
							<dd>{reason}</dd>
							<dt className="text-muted mt-2 text-xs">Last traded</dt>
							<dd>{lastTraded}</dd>
						</dl>
						<h2>What you need</h2>
						<ul className="list-disc pl-5">
							{items.map((item) => (
								<li key={item}>{item}</li>
							))}
						</ul>
					</>
				)
			)}
			<div className="actions">
				{href ? (
					<a href={href} className="btn btn-primary" rel="noopener">
						Start re-KYC
					</a>
				) : (
					!failure && <p>Start re-KYC is not available here. Contact support.</p>
				)}
				<PostForm action="/logout">
					<SubmitButton kind="plain">Logout</SubmitButton>
				</PostForm>
			</div>
			<h2>Your statements</h2>
			<dl className="divide-line divide-y">
				<Statement name="Holding today" report="holding" flag={day} />
				{years.map((year) => (
					<Statement key={year} name={`Ledger ${year}`} report="ledger" flag={year} query={`?year=${year}`} />
				))}
			</dl>
		</>
	)
}

type StatementProps = { name: string; report: 'holding' | 'ledger'; flag: string; query?: string }

function Statement({ name, report, flag, query = '' }: StatementProps) {
	const path = `/rekyc/statements/${report}`
	return (
		<div className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
			<dt>{name}</dt>
			<dd className="flex gap-4">
				<DownloadLink href={`${path}/pdf${query}`} label="PDF" type={report.toUpperCase()} flag={flag} look="cell" />
				<DownloadLink href={`${path}/xlsx${query}`} label="Excel" type={report.toUpperCase()} flag={flag} look="cell" />
			</dd>
		</div>
	)
}
