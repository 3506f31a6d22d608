import { expect, test } from 'vitest'
import { NoteTrade } from '#contract/bills'
import { noteTrades } from './contract-note-tables.server'

const given = {
	TRADE_NO: '20000017',
	SCRIP_NAME: 'Nifty 50 24MAY 23100 PE',
	ORDER_NO: '1240530000000017',
	ORDER_TIME: '10:12:41',
	TRADE_TIME: '10:12:41',
	ISIN: null,
	SIDE: 'BUY',
	QTY: 25,
	INTRADAY_QTY: 0,
	GROSS_RATE: 300.85,
	BROKERAGE_RATE: 0,
	NET_RATE: 300.85,
	CLOSE_RATE: null,
	AMOUNT: 7521.25,
	BROKERAGE: 0,
	CHARGES: 0,
}

test('shows an order and a trade with their times, and a dash for an assignment by the exchange', () => {
	const shown = (more: Partial<typeof given>) => {
		const trade = NoteTrade.parse({ ...given, ...more })
		return noteTrades.columns.slice(0, 2).map(({ plain }) => plain(trade))
	}
	expect(shown({})).toEqual(['1240530000000017 10:12:41', '20000017 10:12:41'])
	expect(shown({ ORDER_NO: '', TRADE_NO: '', ORDER_TIME: '15:30:00', TRADE_TIME: '15:30:00' })).toEqual(['—', '—'])
})
