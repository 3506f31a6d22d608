import { computeBidAmount } from '#contract/values/ipo-bid'
import { downloadIpoBidForm, getIpoFacts, listIpos } from '~/broker/ipo.server'
import { serveFile } from '~/http/download.server'
import { loadPart } from '~/http/partial-data.server'
import { isOnline, readBidDraft, createBidRequest } from './bid-form.server'

/** Sends the form for the bank of the last large bid reviewed in this browser. It places no bid, so a GET may request it. */
export const loader = serveFile(
	({ params: { symbol = '' } }) => `/connect/ipo/${encodeURIComponent(symbol)}`,
	async ({ broker, request, params: { symbol = '' } }) => {
		const [draft, issues, facts] = await Promise.all([
			readBidDraft(request, broker, symbol),
			listIpos(broker, 'current'),
			loadPart(broker, getIpoFacts(broker)),
		])
		const issue = issues.find((each) => each.symbol === symbol)
		if (!draft || !issue) throw Response.json({ message: 'Review the bid first: its form is made from that.' }, { status: 404 })
		// A bid up to the limit is placed only by its confirmation.
		if (isOnline(computeBidAmount(issue, draft), facts.data))
			throw Response.json({ message: 'A bid of this amount is placed online; it needs no form.' }, { status: 422 })
		const body = await downloadIpoBidForm(broker, createBidRequest(issue, draft))
		return { name: `${broker.clientCode}_IPO_${symbol}`, kind: 'pdf', body }
	},
	{ isFetchedByPage: true },
)
