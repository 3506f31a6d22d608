import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { type Broker } from '~/broker/client.server'
import { Banner } from '~/components/banner'
import { Box } from '~/components/box'
import { SubmitButton } from '~/components/form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { StepLine } from '~/components/step-line'
import { SummaryList } from '~/components/summary-list'
import { CHANGE_PAGES, CHANGE_STEPS } from '~/forms/change-pages'
import { Unbroken } from '~/components/unbroken'
import { readLastSigning, redirectToSign, openSigning } from '~/forms/esign-confirm.server'
import { openForm } from '~/forms/form.server'
import { esignAddress } from '~/http/external-redirect.server'
import { requireBroker } from '~/session/session.server'
import { describeBack } from './next-steps.server'

const TITLE = 'You are about to sign'
const NOTHING = 'Nothing to sign'

export const handle = {
	title: (page?: { state: string }) => (page?.state === 'none' ? NOTHING : TITLE),
	area: (page?: { back?: string }) => page?.back,
}

/** Shows the last signing of this browser. The form has its own copy, so that a signing in another tab cannot replace it. */
export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const sealed = readLastSigning(request)
	const signing = await openSigning(broker, sealed)
	if (!signing) return data({ state: 'none' as const }, { status: 404 })
	const { title, lines, back } = signing
	const address = esignAddress(broker, signing.response)
	if (!address) return blocked(broker, back)
	// A closure and the signatures of other areas have other steps.
	const isChange = Object.values(CHANGE_PAGES).some(({ path }) => path === back)
	return data({ state: 'ready' as const, sealed, title, lines, back, isChange, host: new URL(address).host })
}

export async function action({ request }: ActionFunctionArgs) {
	const { form, broker } = await openForm(request)
	const signing = await openSigning(broker, String(form.get('signing') ?? ''))
	if (!signing) return data({ state: 'none' as const }, { status: 404 })
	const away = await redirectToSign(request, broker, signing)
	return away ?? blocked(broker, signing.back)
}

function blocked({ reference }: Broker, back: string) {
	return data({ state: 'blocked' as const, back, backLabel: describeBack(back).label, reference }, { status: 502 })
}

export default function ConfirmSigning() {
	const loaded = useLoaderData<typeof loader>()
	const page = useActionData<typeof action>() ?? loaded
	if (page.state === 'none') {
		return (
			<>
				<PageTitle title={NOTHING} />
				<p className="prose">
					No e-sign is open in this browser. A request waits 24 hours for its signature, and nothing changes until it is signed.
				</p>
				<p>
					<a href="/myaccount/requests">See your requests</a>
				</p>
			</>
		)
	}
	if (page.state === 'blocked') {
		return (
			<>
				<PageTitle title={TITLE} />
				<Banner kind="error">
					<p>We cannot open the e-sign page because its address is not approved. Nothing has been signed and nothing has changed.</p>
					<p className="text-xs">Reference {page.reference}</p>
				</Banner>
				<p>
					<a href={page.back}>{page.backLabel}</a>
				</p>
			</>
		)
	}
	return (
		<>
			<PageTitle title={TITLE} note={page.isChange ? page.title : `${page.title} · Last step: sign`} />
			<div className="max-w-160">
				<Box>
					{page.isChange && (
						<p className="text-muted mb-4 text-xs">
							<StepLine step={CHANGE_STEPS.length} steps={CHANGE_STEPS} />
						</p>
					)}
					<SummaryList items={page.lines} />
					<ul className="mb-4 list-disc space-y-1 pl-5">
						<li>
							<Unbroken text="The next page is the e-sign provider’s, at" /> <b>{page.host}</b>.
						</li>
						<li>It asks for your Aadhaar number and an OTP; we never see them.</li>
						<li>You come back here afterwards. Nothing changes until you have signed.</li>
					</ul>
					{/* A full-page post, because the reply redirects to another site. */}
					<PostForm action="/esign" reloadDocument>
						<input type="hidden" name="signing" value={page.sealed} />
						<div className="actions">
							<SubmitButton>Proceed to e-sign</SubmitButton>
							<a href={page.back}>Not now</a>
						</div>
					</PostForm>
				</Box>
			</div>
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title={TITLE} />
}
