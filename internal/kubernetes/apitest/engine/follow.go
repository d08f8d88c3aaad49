// SPDX-License-Identifier: MPL-2.0

//go:build acc

package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// Follow waits until a user starts a Framework, and then runs one attempt of the
// Framework. It updates the status from the Pods until the attempt ends or the
// Framework is deleted. Like the real engine, it deletes the Pod of a completed task.
// It does not retry tasks. Follow ignores a later Framework with the same name.
func (e *Engine) Follow(ctx context.Context, name string) error {
	uid := ""
	for begun := false; ; {
		fw, err := e.get(ctx, name)
		switch {
		case apierrors.IsNotFound(err):
			if begun {
				return nil
			}
		case err != nil:
			return fmt.Errorf("follow %s: %w", name, err)
		case uid != "" && fw.Metadata.UID != uid, fw.Status != nil && fw.Status.State == framework.StateCompleted:
			return nil
		case fw.Spec.ExecutionType == framework.ExecutionStart && !begun:
			uid = fw.Metadata.UID
			if err := e.Prepare(ctx, name); err != nil {
				return fmt.Errorf("prepare %s: %w", name, err)
			}
			begun = true
		case begun:
			err := e.observe(ctx, fw, fw.Spec.ExecutionType == framework.ExecutionStop)
			if err != nil && !errors.Is(err, errReplaced) {
				return fmt.Errorf("observe the Pods of %s: %w", name, err)
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("follow %s: %w", name, ctx.Err())
		case <-time.After(cmp.Or(e.Pause, 100*time.Millisecond)):
		}
	}
}

// observe updates the status from the Pods. If a task completes the attempt,
// observe also ends the remaining tasks.
func (e *Engine) observe(ctx context.Context, fw *framework.Framework, stop bool) error {
	pods, err := e.pods(ctx, fw.Metadata.Name, fw.Metadata.UID)
	if err != nil {
		return err
	}
	if stop && len(pods) > 0 {
		return e.deletePods(ctx, pods) // the attempt completes once its Pods are deleted
	}
	done := map[string]*framework.CompletionStatus{}
	over := false
	err = e.write(ctx, fw.Metadata.Name, fw.Metadata.UID, func(fw *framework.Framework) *framework.Status {
		clear(done)
		running := false
		eachTask(fw.Status, func(role string, t *framework.TaskStatus) {
			if p := pods[t.AttemptStatus.PodName]; !e.Busy || p == nil || p.Status.Phase != corev1.PodRunning {
				see(t, p)
			}
			running = running || t.State == framework.StateAttemptRunning
			if c := t.AttemptStatus.CompletionStatus; c != nil {
				done[taskKey(role, t.Index)] = c
			}
		})
		if now := time.Now().UTC().Truncate(time.Second); running && fw.Status.State == framework.StateAttemptPreparing {
			fw.Status.State, fw.Status.RunTime = framework.StateAttemptRunning, &now
		}
		_, over = framework.Complete(&fw.Spec, &fw.Status.AttemptStatus)
		return fw.Status
	})
	if err != nil {
		return err
	}
	if over || stop {
		return e.complete(ctx, fw.Metadata.Name, fw.Metadata.UID, func(role string, index int32) *framework.CompletionStatus {
			if c := done[taskKey(role, index)]; c != nil {
				return c
			}
			return framework.FromCode(framework.CodeAttemptCompletion, framework.AttemptCompletionDiagnostics)
		})
	}
	return e.deleteCompleted(ctx, pods)
}

func taskKey(role string, index int32) string { return fmt.Sprint(role, "-", index) }

// pods returns the Pods of a Framework. An empty UID matches any Framework with
// the name.
func (e *Engine) pods(ctx context.Context, name, uid string) (map[string]*corev1.Pod, error) {
	list, err := e.Client.Resource(podKind).Namespace(e.Namespace).List(ctx, metav1.ListOptions{LabelSelector: "FC_FRAMEWORK_NAME=" + name})
	if err != nil {
		return nil, err
	}
	pods := map[string]*corev1.Pod{}
	for _, o := range list.Items {
		p := &corev1.Pod{}
		if err := convert(o.Object, p); err != nil {
			return nil, err
		}
		if uid == "" || p.Annotations["FC_FRAMEWORK_UID"] == uid {
			pods[p.Name] = p
		}
	}
	return pods, nil
}

func (e *Engine) deletePods(ctx context.Context, pods map[string]*corev1.Pod) error {
	for name, p := range pods {
		if p.DeletionTimestamp != nil {
			continue
		}
		if err := e.Client.Resource(podKind).Namespace(e.Namespace).Delete(ctx, name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return nil
}

func (e *Engine) deleteCompleted(ctx context.Context, pods map[string]*corev1.Pod) error {
	for name, p := range pods {
		if p.Status.Phase != corev1.PodSucceeded && p.Status.Phase != corev1.PodFailed {
			continue
		}
		if err := e.Client.Resource(podKind).Namespace(e.Namespace).Delete(ctx, name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return nil
}

// see updates the status of a task from the state of its Pod.
func see(t *framework.TaskStatus, p *corev1.Pod) {
	if p == nil || t.State == framework.StateCompleted {
		return
	}
	a := &t.AttemptStatus
	for to, value := range map[**string]string{&a.PodNodeName: p.Spec.NodeName, &a.PodIP: p.Status.PodIP, &a.PodHostIP: p.Status.HostIP} {
		if value != "" {
			*to = &value
		}
	}
	now := time.Now().UTC().Truncate(time.Second)
	switch p.Status.Phase {
	case corev1.PodRunning:
		if t.State != framework.StateAttemptRunning {
			t.State, t.RunTime, a.RunTime = framework.StateAttemptRunning, &now, &now
		}
	case corev1.PodSucceeded, corev1.PodFailed:
		t.State, t.CompletionTime, a.CompletionTime = framework.StateCompleted, &now, &now
		a.CompletionStatus = completion(p)
	}
}

// completion returns the completion status of the first failed init
// container. If no init container failed, it returns the status of the app
// container.
func completion(p *corev1.Pod) *framework.CompletionStatus {
	var all []framework.ContainerCompletionStatus
	decisive := framework.ContainerCompletionStatus{Code: framework.CodePodFailedWithoutContainer}
	for _, c := range append(p.Status.InitContainerStatuses, p.Status.ContainerStatuses...) {
		ended := c.State.Terminated
		if ended == nil {
			continue
		}
		one := framework.ContainerCompletionStatus{Name: c.Name, Reason: ended.Reason, Message: ended.Message, Signal: ended.Signal, Code: ended.ExitCode}
		all = append(all, one)
		if decisive.Code <= 0 {
			decisive = one
		}
	}
	if p.Status.Phase == corev1.PodSucceeded {
		decisive.Code = framework.CodeSucceeded
	}
	done := framework.FromExit(int(decisive.Code), decisive.Message, framework.Codes(exitspec.Entries()))
	done.Pod = &framework.PodCompletionStatus{Reason: p.Status.Reason, Message: p.Status.Message, Containers: all}
	return done
}
