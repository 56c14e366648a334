import 'server-only';
export { getOwnPost } from './own';
export { getPost, listPosts, listPostsNamed, listPostsWithTips } from './posts';
