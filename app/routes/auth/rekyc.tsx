import { type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getRekycDetails } from '~/broker/auth.server'
import { type RekycDetails } from '~/broker/contract/auth'
import { Failed } from '~/components/failed'
import { SubmitButton } from '~/components/form'
import { PlainPage } from '~/components/plain-page'
import { PostForm } from '~/components/post-form'
import { formatDay } from '~/lib/days'
import { part } from '~/parts.server'
import { brokerOf, getSession, requestIdOf } from '~/session.server'
import { settings } from '~/settings.server'

export const handle = { title: 'Re-KYC required' }

const ITEMS: Record<RekycDetails['required'][number], string> = {
	PAN: 'Your PAN card',
	ADDRESS_PROOF: 'Proof of your address',
	BANK_PROOF: 'Proof of your bank account',
	INCOME_PROOF: 'Proof of your income',
	PHOTO: 'A photo of you',
	ESIGN: 'Your e-sign with Aadhaar',
}

export async function loader({ request }: LoaderFunctionArgs) {
	const session = await getSession(request)
	if (!session) throw redirect('/login')
	if (!session.isDormate) throw redirect('/dashboard')
	const details = await part(getRekycDetails(brokerOf(request, session)), requestIdOf(request))
	const href = settings.REKYC_URL ?? details.data?.rekyc_url
	return {
		failure: details.failure,
		reason: details.data?.reason,
		lastTraded: details.data && (details.data.last_traded_on ? formatDay(details.data.last_traded_on) : 'Never'),
		items: details.data?.required.map((item) => ITEMS[item]) ?? [],
		href,
	}
}

export default function Rekyc() {
	const { failure, reason, lastTraded, items, href } = useLoaderData<typeof loader>()
	return (
		<PlainPage title="Re-KYC required">
			<p>Your account is inactive until you confirm your details. Your shares and your money are safe.</p>
			{failure ? (
				<Failed what="Why re-KYC is needed" failure={failure} />
			) : (
				<>
					<dl>
						<dt>Why</dt>
						<dd>{reason}</dd>
						<dt>Last traded</dt>
						<dd>{lastTraded}</dd>
					</dl>
					<h2>What you need</h2>
					<ul>
						{items.map((item) => (
							<li key={item}>{item}</li>
						))}
					</ul>
				</>
			)}
			<div className="actions">
				{href && (
					<a href={href} className="btn btn-primary" rel="noopener">
						Start re-KYC
					</a>
				)}
				<PostForm action="/logout">
					<SubmitButton kind="plain">Logout</SubmitButton>
				</PostForm>
			</div>
		</PlainPage>
	)
}
