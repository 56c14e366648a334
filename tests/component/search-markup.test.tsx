/** @jest-environment node */
import { HtmlValidate } from 'html-validate';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { answerOptions } from '@/components/search/options';
import { ResultList } from '@/components/search/result-list';
import { SearchBar } from '@/components/search/search-bar';
import { SearchForm } from '@/components/search/search-form';
import { SuggestionList } from '@/components/search/suggestion-list';
import type { SearchAnswer } from '@/lib/search/schema';

const answer: SearchAnswer = {
  ...{ query: 'golf', matching: 'all', terms: ['golf'], total: 1 },
  groups: [
    {
      kind: 'sport',
      count: 1,
      hits: [
        {
          kind: 'sport',
          reference: 'golf',
          title: 'Golf',
          detail: 'Tips',
          path: '/golf',
          startsAt: null,
          startTimeKnown: false,
          demo: true,
        },
      ],
    },
  ],
};
const hits = answer.groups.flatMap((group) => group.hits);
const list = {
  id: 'list',
  isOpen: true,
  activeHref: '/golf',
  note: null,
  timeZone: 'UTC',
  onChoose: () => undefined,
  onForget: () => undefined,
};

const rendered: Record<string, ReactElement> = {
  SearchBar: <SearchBar timeZone="UTC" />,
  SearchForm: <SearchForm question="golf" />,
  ResultList: <ResultList label="Sports" hits={hits} terms={['golf']} timeZone="UTC" />,
  SuggestionList: <SuggestionList {...list} groups={answerOptions(answer)} answer={answer} />,
};

const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: { 'void-style': 'off', 'attribute-boolean-style': 'off', 'long-title': 'off' },
});

describe.each(Object.entries(rendered))('%s', (_, element) => {
  const markup = renderToStaticMarkup(element);

  test('is rendered by the server as valid HTML, without a style of its own', async () => {
    const { results } = await validator.validateString(markup);
    expect(results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`))).toEqual(
      [],
    );
    expect(markup).not.toMatch(/\sstyle=|\son[a-z]+=/);
  });
});
