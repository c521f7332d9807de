#include "engine/cuda/ptx.h"
#include <stdlib.h>
#include <string.h>
bool zecl_ptx_build(const struct zecl_spirv *s,const char*f,unsigned c,struct zecl_ptx*p,struct zecl_text*log){(void)s;(void)f;(void)c;(void)p;zecl_text_add(log,"no SPIR-V\n");return false;}
bool zecl_ptx_read(const void*b,size_t n,struct zecl_ptx*p,struct zecl_text*log){
 memset(p,0,sizeof*p); if(n<8||memcmp(b,".version",8)){zecl_text_add(log,"no PTX\n");return false;}
 p->image=malloc(n+1);memcpy(p->image,b,n);p->image[n]=0;p->size=n;p->kind=ZECL_PTX_TEXT;
 p->kernels=calloc(64,sizeof*p->kernels);
 for(char*at=p->image;(at=strstr(at,".entry "));){at+=7;size_t l=strcspn(at,"( \n");struct zecl_ptx_kernel*k=&p->kernels[p->kernel_count++];k->name=strndup(at,l);k->entry=strdup(k->name);
  char*end=strchr(at,')');k->args=calloc(64,sizeof(struct zecl_arg));
  for(char*q=at;(q=strstr(q,".param "))&&q<end;){q+=7;k->args[k->arg_count++]=(struct zecl_arg){.kind=ZECL_ARG_VALUE,.size=strstr(q,"64")==q+2?8:4};}}
 return true;}
void zecl_ptx_free(struct zecl_ptx*p){for(uint32_t i=0;i<p->kernel_count;i++){free(p->kernels[i].name);free(p->kernels[i].entry);free(p->kernels[i].args);}free(p->kernels);free(p->image);memset(p,0,sizeof*p);}
char*zecl_ptx_symbol(const char*n){return strdup(n);}
