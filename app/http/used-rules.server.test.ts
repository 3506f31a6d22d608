import { expect, test } from 'vitest'
import { readRules, takeUsedRules } from './used-rules.server'

const take = (stylesheet: string, html: string) => takeUsedRules(readRules(stylesheet), html)

test.each([
	['a rule whose class the page has', '.a{color:red}.b{color:blue}', '<p class="b">', '.b{color:blue}'],
	['the selectors that can match', '.a,.b,p{color:red}', '<p class="a">', '.a,p{color:red}'],
	['a rule that needs two classes, with both', '.a .b>i{color:red}.a.c{color:red}', '<p class="b a"><i>', '.a .b>i{color:red}'],
	['rules that need nothing', ':root{x:y}*{margin:0}::backdrop{x:y}', '<p>', ':root{x:y}*{margin:0}::backdrop{x:y}'],
	['a rule whose element the page has', 'table td{x:y}p{x:y}lineargradient{x:y}', '<p><linearGradient>', 'p{x:y}lineargradient{x:y}'],
	['a rule whose attribute the page has', '[hidden]{x:y}[aria-busy=true]{x:y}', '<p hidden="">', '[hidden]{x:y}'],
	[
		'the value of an attribute',
		'[type=radio]{x:y}[type="url"]{x:y}[type^=x]{x:y}',
		'<input type="url">',
		'[type="url"]{x:y}[type^=x]{x:y}',
	],
	['an attribute in the letters of React', '[autocomplete=off]{x:y}', '<input autoComplete="off">', '[autocomplete=off]{x:y}'],
	['a part of a class', '[class*=from-]{x:y}', '<p class="from-a">', '[class*=from-]{x:y}'],
	['what a person can open', '[open]>p{x:y}', '<p>', '[open]>p{x:y}'],
	['what an element must not be', 'p:not(.a){x:y}', '<p>', 'p:not(.a){x:y}'],
	['one of several', 'i:is(.b,.c){x:y}:where(.b) p,:is(.b:hover,:focus){x:y}', '<p class="d">', ':is(.b:hover,:focus){x:y}'],
	['what another element must have', 'p:has(>.a){x:y}p:has(b){x:y}', '<p><b>', 'p:has(b){x:y}'],
	['a state of a used class', '.a:hover:not(.b)::before{content:")"}', '<p class="a">', '.a:hover:not(.b)::before{content:")"}'],
	['a dot in an attribute', '[href=".x"] .a{color:red}', '<p href=".x" class="a">', '[href=".x"] .a{color:red}'],
	['escaped names', '.w-1\\/2{width:50%}.\\32 xl{width:1px}', '<p class="w-1/2 2xl">', '.w-1\\/2{width:50%}.\\32 xl{width:1px}'],
	[
		'names that React escapes',
		'.\\[\\&\\>p\\]\\:m-1>p{margin:1px}.\\[\\&_\\(\\.x\\)\\]>p{margin:2px}',
		'<p class="[&amp;&gt;p]:m-1 [&amp;_(.x)]">',
		'.\\[\\&\\>p\\]\\:m-1>p{margin:1px}.\\[\\&_\\(\\.x\\)\\]>p{margin:2px}',
	],
	[
		'groups with used rules',
		'@media screen{.a{color:red}.b{color:blue}}@media (width>1px){.b{x:y}}',
		'<p class="a">',
		'@media screen{.a{color:red}}',
	],
	[
		'layers in their order, also empty ones',
		'@layer one,two;@layer two{.a{x:y}}@layer one{.b{x:y}}',
		'<p class="b">',
		'@layer one,two;@layer two{}@layer one{.b{x:y}}',
	],
	['key frames', '@keyframes k{0%{x:y}to{x:z}}', '<p>', '@keyframes k{0%{x:y}to{x:z}}'],
	['custom properties that a used rule reads', 'p{--a:1;--b:2;x:var(--a)}.c{x:var(--b)}', '<p>', 'p{--a:1;x:var(--a)}'],
	['no rule without declarations', 'p{--a:1}.c{x:var(--a)}', '<p>', ''],
	[
		'properties that a used rule reads',
		'p{x:var(--a)}@property --a{inherits:false}@property --b{inherits:false}',
		'<p>',
		'p{x:var(--a)}@property --a{inherits:false}',
	],
	['nothing for paper', '@media print{p{x:y}}p{x:z}', '<p>', 'p{x:z}'],
])('takes %s', (_, stylesheet, html, taken) => {
	expect(take(stylesheet, html)).toBe(taken)
})

test('takes nothing that would end the style element', () => {
	expect(take('.a{color:red}', '<p class="&lt;/style&gt;&lt;script&gt;">')).toBe('')
})
