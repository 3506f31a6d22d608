import { Hono } from 'hono'
import { type z } from 'zod/v4'
import { QuickLinks } from '#contract/dashboard'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { type SandboxEnv } from '#sandbox/types'

const LINKS: z.input<typeof QuickLinks> = [
	{ title: 'SCORES (SEBI complaints)', url: 'https://scores.sebi.gov.in/', group: 'Complaints' },
	{ title: 'Smart ODR (online dispute resolution)', url: 'https://smartodr.in/', group: 'Complaints' },
	{ title: 'SEBI investor website', url: 'https://investor.sebi.gov.in/', group: 'Regulators' },
	{ title: 'SEBI check of intermediaries', url: 'https://www.sebi.gov.in/intermediaries.html', group: 'Regulators' },
	{ title: 'NSE trading holidays', url: 'https://www.nseindia.com/resources/exchange-communication-holidays', group: 'Exchanges' },
	{
		title: 'MCX trading holidays',
		url: 'https://www.mcxindia.com/market-operations/trading-survelliance/trading-holidays',
		group: 'Exchanges',
	},
	{ title: 'CDSL easi', url: 'https://web.cdslindia.com/myeasitoken', group: 'Depositories' },
	{ title: 'NSDL IDeAS', url: 'https://eservices.nsdl.com/', group: 'Depositories' },
	{ title: 'KYC status (CVL KRA)', url: 'https://www.cvlkra.com/', group: 'KYC' },
]

/** Web addresses that every investor needs sometimes. */
export function quickLinks() {
	const routes = new Hono<SandboxEnv>()
	routes.get('/v1/quick-links', describeOperation({ id: 'listQuickLinks', summary: 'Quick links', query: Source, data: QuickLinks }), (c) =>
		sendData(c, 'Quick links fetched', LINKS),
	)
	return routes
}
